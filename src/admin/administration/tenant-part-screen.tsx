import { Link, useParams } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import type { ResourceConfig } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t } from '../texts/index.js';

interface Props<Item extends object> {
  readonly resource: ResourceConfig<Item>;
  /** Whose they are. */
  readonly about: (tenant: string) => string;
}

/** A list of the tenant that the address names, for super-admins. */
export function TenantPartScreen<Item extends object>({ resource, about }: Props<Item>) {
  const { tenant = '' } = useParams({ strict: false });
  const { slug, environment } = useProject();
  return (
    <ResourceScreen fixed={{ tenantSlug: tenant }} resource={resource}>
      <p className="screen-hint row">
        <Link to={['', slug, environment, 'tenants'].join('/')}>{t('projects.back')}</Link>
        <span className="soft">{about(tenant)}</span>
        <Link to={['', slug, environment, 'tenants', tenant, 'sign-on'].join('/')}>{t('signOn.title')}</Link>
      </p>
    </ResourceScreen>
  );
}
