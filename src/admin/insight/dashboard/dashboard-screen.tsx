import { useProject } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import { t } from '../../texts/index.js';
import { HealthSection, OpenIssues } from './health-sections.js';
import { isNew, NextSteps } from './next-steps.js';
import { RecentSection, TaskSection, UpcomingSection } from './work-sections.js';

/** What changed, what waits for the user, what comes and what is amiss. Its calls are one request. */
export function DashboardScreen() {
  const project = useProject();
  const session = useSession();
  const name = session.status === 'none' ? '' : session.session.user.name;
  return (
    <>
      <header className="screen-head row">
        <div className="grow">
          <p className="small soft clip">{project.name}</p>
          <h1 className="clip">{t('dashboard.hello', { name })}</h1>
        </div>
      </header>
      <div className="boards">
        {isNew(project.types) && <NextSteps />}
        <TaskSection />
        <RecentSection />
        <UpcomingSection />
        <HealthSection />
        <OpenIssues />
      </div>
    </>
  );
}
