import { Link, useParams } from '@tanstack/react-router';
import { projects } from '../../../contracts/tenancy/projects/projects.contract.js';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t } from '../texts/index.js';

type Project = Outputs['projects']['list']['data'][number];

const resource = resourceOf<Project>({
  name: 'projects',
  contracts: projects,
  title: 'projects.listTitle',
  createLabel: 'projects.create',
  nameOf: ({ name }) => name,
  columns: ['name', 'slug', 'createdAt'],
  cells: {
    slug: ({ slug }) => (
      <Link params={{ project: slug }} to="/$project">
        {slug}
      </Link>
    ),
  },
  facts: ['slug', 'createdAt', 'updatedAt'],
  refreshes: [[['tenants']]],
});

/** Projects are created here; they are opened by their slug. */
export function TenantProjectsScreen() {
  const { tenant = '' } = useParams({ strict: false });
  const { slug, environment } = useProject();
  return (
    <ResourceScreen fixed={{ tenantSlug: tenant }} resource={resource}>
      <p className="screen-hint row">
        <Link to={['', slug, environment, 'tenants'].join('/')}>{t('projects.back')}</Link>
        <span className="soft">{t('projects.title', { tenant })}</span>
      </p>
    </ResourceScreen>
  );
}
