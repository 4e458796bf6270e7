import { Link } from '@tanstack/react-router';
import { projects } from '../../../contracts/tenancy/projects/projects.contract.js';
import type { Outputs } from '../api/client.js';
import { resourceOf } from '../resources/resource-config.js';
import { t } from '../texts/index.js';
import { TenantPartScreen } from './tenant-part-screen.js';

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
export const TenantProjectsScreen = () => (
  <TenantPartScreen about={(tenant) => t('projects.title', { tenant })} resource={resource} />
);
