import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { readEnvironments } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Failed, Loading } from '../ui/states.js';

/** Every project has it. */
const DEFAULT_ENVIRONMENT = 'main';

interface EntranceSearch {
  /** Id of the webhook, or name of the API key, that a notification is about. */
  readonly webhook?: string | undefined;
  readonly key?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const readEntranceSearch = ({ webhook, key }: Record<string, unknown>): EntranceSearch => ({
  webhook: text(webhook),
  key: text(key),
});

/** Opens the dashboard of the environment that the user has selected, else of the default one. */
export function ProjectEntrance() {
  const { project = '' } = useParams({ strict: false });
  const { webhook, key } = useSearch({ from: '/$project' });
  const { data, error, refetch } = useQuery({
    queryKey: ['environments', project],
    queryFn: () => readEnvironments(project),
  });
  if (data !== undefined) {
    const found = data.find(({ isSelected }) => isSelected) ?? data.find(({ isDefault }) => isDefault);
    const environment = found?.slug ?? DEFAULT_ENVIRONMENT;
    const params = { project, environment };
    if (webhook !== undefined)
      return (
        <Navigate params={{ ...params, webhook }} replace to="/$project/$environment/webhooks/$webhook" />
      );
    if (key !== undefined)
      return <Navigate params={params} replace search={{ q: key }} to="/$project/$environment/api-keys" />;
    return <Navigate params={params} replace to="/$project/$environment/dashboard" />;
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
