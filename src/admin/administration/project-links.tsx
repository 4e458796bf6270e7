import { Link } from '@tanstack/react-router';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';

/** The projects of a tenant, and where one is created. */
export function ProjectLinks({ tenant }: { readonly tenant: Outputs['tenants']['get']['data'] }) {
  const { slug, environment } = useProject();
  return (
    <Link to={['', slug, environment, 'tenants', tenant.slug].join('/')}>
      {tenant.projects.length === 0
        ? t('projects.create')
        : tenant.projects.map((project) => project.name).join(', ')}
    </Link>
  );
}
