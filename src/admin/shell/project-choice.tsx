import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { client, type Outputs } from '../api/client.js';
import { useSession } from '../api/session-store.js';
import { logOut } from '../api/sessions-client.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { Empty, Loaded } from '../ui/states.js';
import { useDelayed } from '../ui/hooks.js';
import { lastProject } from './last-project.js';
import { Preferences } from './preferences.js';
import { lazyPart } from '../ui/lazy-part.js';

type Project = Outputs['me']['projects']['data'][number];

const PAGE = 25;

const projectsQuery = (q: string) => ({
  queryKey: ['my-projects', q],
  queryFn: ({ pageParam: page }: { readonly pageParam: number }) =>
    client.me.projects.query({ page, limit: PAGE, ...(q !== '' && { q }) }),
  initialPageParam: 1,
  getNextPageParam: ({ meta: { page, pages } }: Outputs['me']['projects']) =>
    page < pages ? page + 1 : undefined,
  placeholderData: keepPreviousData,
});

function ProjectLink({ project: { slug, name, tenantSlug } }: { readonly project: Project }) {
  return (
    <Link className="choice" params={{ project: slug }} to="/$project">
      <Icon name="type" />
      <span className="grow">
        <strong>{name}</strong>
        <span className="soft small"> {slug}</span>
        {slug === lastProject() && <span className="badge">{t('project.last')}</span>}
      </span>
      <span className="soft small">{tenantSlug}</span>
    </Link>
  );
}

const NewTenant = lazyPart(() => import('../administration/new-tenant-dialog.js'), 'NewTenantDialog');

interface TenantLinksProps {
  /** Around the screen of the tenants; undefined where there is no project yet. */
  readonly project: Project | undefined;
  readonly onCreated: () => void;
}

/** Super-admins reach every tenant and project from here, and make the first one. */
function TenantLinks({ project, onCreated }: TenantLinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  const environment = project?.environments.find(({ isDefault }) => isDefault)?.slug ?? 'main';
  return (
    <div className="row">
      {project !== undefined && (
        <Link className="button" to={['', project.slug, environment, 'tenants'].join('/')}>
          {t('tenants.all')}
        </Link>
      )}
      <button className="button" onClick={() => setIsOpen(true)} type="button">
        {t('tenants.create')}
      </button>
      {isOpen && (
        <Suspense>
          <NewTenant
            onClose={() => setIsOpen(false)}
            onCreated={() => {
              setIsOpen(false);
              onCreated();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The projects that the user may enter. The search is offered where they do not fit on one page. */
function ProjectList() {
  const session = useSession();
  const isSuperAdmin = session.status !== 'none' && session.session.user.isSuperAdmin;
  const [typed, setTyped] = useState('');
  const q = useDelayed(typed.trim());
  const query = useInfiniteQuery(projectsQuery(q));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const projects = pages.flatMap(({ data }) => data);
        const isLong = typed !== '' || (pages[0]?.meta.pages ?? 0) > 1;
        return (
          <>
            {isLong && (
              <input
                aria-label={t('project.search')}
                className="input"
                onChange={({ target }) => setTyped(target.value)}
                placeholder={t('project.search')}
                type="search"
                value={typed}
              />
            )}
            {isSuperAdmin && (
              <TenantLinks
                onCreated={() => void query.refetch()}
                project={projects.find(({ slug }) => slug === lastProject()) ?? projects[0]}
              />
            )}
            {projects.length === 0 && <Empty title={t(typed === '' ? 'project.none' : 'project.noMatch')} />}
            <ul className="choices">
              {projects.map((project) => (
                <li key={project.id}>
                  <ProjectLink project={project} />
                </li>
              ))}
            </ul>
            {query.hasNextPage && (
              <button className="button" onClick={() => void query.fetchNextPage()} type="button">
                {t('project.more')}
              </button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

export function ProjectChoice() {
  return (
    <main className="login">
      <section aria-labelledby="choice-title" className="card stack">
        <h1 id="choice-title">{t('project.choose')}</h1>
        <ProjectList />
        <Preferences />
        <button className="button plain" onClick={() => void logOut()} type="button">
          {t('login.logout')}
        </button>
      </section>
    </main>
  );
}
