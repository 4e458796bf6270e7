import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useSession } from '../api/session-store.js';
import { logOut } from '../api/sessions-client.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { Empty, Loaded } from '../ui/states.js';
import { lastProject } from './last-project.js';
import { Preferences } from './preferences.js';

const tenantsQuery = {
  queryKey: ['tenants'],
  queryFn: () =>
    everyItem((page) => client.tenants.list.query({ page, limit: PAGE_SIZE, orderBy: 'name:asc' })),
};

/** Super-admins see every project. */
function ProjectList() {
  const query = useQuery(tenantsQuery);
  return (
    <Loaded query={query}>
      {(tenants) => {
        const projects = tenants.flatMap(({ name: tenant, projects: own }) =>
          own.map((one) => ({ ...one, tenant })),
        );
        if (projects.length === 0) return <Empty title={t('project.none')} />;
        return (
          <ul className="choices">
            {projects.map(({ slug, name, tenant }) => (
              <li key={slug}>
                <Link className="choice" params={{ project: slug }} to="/$project">
                  <Icon name="type" />
                  <span className="grow">
                    <strong>{name}</strong>
                    <span className="soft small"> {slug}</span>
                  </span>
                  <span className="soft small">{tenant}</span>
                </Link>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

/** Members name their project: no operation lists the projects of a user. */
function ProjectName() {
  const navigate = useNavigate();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const slug = new FormData(event.currentTarget).get('project') as string;
        void navigate({ to: '/$project', params: { project: slug.trim() } });
      }}
    >
      <label className="field">
        <span className="label">{t('project.slug')}</span>
        <input autoFocus className="input" defaultValue={lastProject() ?? ''} name="project" required />
        <span className="hint">{t('project.slugHint')}</span>
      </label>
      <button className="button primary" type="submit">
        {t('project.open')}
      </button>
    </form>
  );
}

export function ProjectChoice() {
  const session = useSession();
  const isSuperAdmin = session.status !== 'none' && session.session.user.isSuperAdmin;
  return (
    <main className="login">
      <section aria-labelledby="choice-title" className="card stack">
        <h1 id="choice-title">{t('project.choose')}</h1>
        {isSuperAdmin ? <ProjectList /> : <ProjectName />}
        <Preferences />
        <button className="button plain" onClick={() => void logOut()} type="button">
          {t('login.logout')}
        </button>
      </section>
    </main>
  );
}
