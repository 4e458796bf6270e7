import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { readEnvironments } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Failed, Loading } from '../ui/states.js';

/** Every project has it. */
const DEFAULT_ENVIRONMENT = 'main';

/** Opens the dashboard of the environment that the user has selected, else of the default one. */
export function ProjectEntrance() {
  const { project = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ['environments', project],
    queryFn: () => readEnvironments(project),
  });
  if (data !== undefined) {
    const found = data.find(({ isSelected }) => isSelected) ?? data.find(({ isDefault }) => isDefault);
    const environment = found?.slug ?? DEFAULT_ENVIRONMENT;
    return <Navigate params={{ project, environment }} replace to="/$project/$environment/dashboard" />;
  }
  if (error === null) return <Loading />;
  return (
    <main>
      <Failed error={error} onRetry={() => void refetch()} />
      <p className="blank">
        <Link to="/">{t('project.choose')}</Link>
      </p>
    </main>
  );
}
