import { Link, useParams } from '@tanstack/react-router';
import { tenantLocales } from '../../../contracts/tenancy/locales/tenant-locales.contract.js';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { localeName, t } from '../texts/index.js';

type Locale = Outputs['tenantLocales']['list']['data'][number];

const resource = resourceOf<Locale>({
  name: 'tenantLocales',
  contracts: tenantLocales,
  title: 'locales.title',
  createLabel: 'locales.create',
  nameOf: ({ code }) => localeName(code),
  key: { input: 'code', item: 'code' },
  columns: ['code', 'name', 'fallbackCode', 'isDefault', 'isActive'],
  cells: { code: ({ code }) => localeName(code) },
  form: { order: ['code', 'name', 'fallbackCode', 'isActive'], start: { isActive: true } },
  actions: [deletion()],
  refreshes: [[['tenants']], [['locales']]],
});

/** Locales of any tenant, for super-admins. */
export function TenantLocalesScreen() {
  const { tenant = '' } = useParams({ strict: false });
  const { slug, environment } = useProject();
  return (
    <ResourceScreen fixed={{ tenantSlug: tenant }} resource={resource}>
      <p className="screen-hint row">
        <Link to={['', slug, environment, 'tenants'].join('/')}>{t('projects.back')}</Link>
        <span className="soft">{t('locales.ofTenant', { tenant })}</span>
      </p>
    </ResourceScreen>
  );
}
