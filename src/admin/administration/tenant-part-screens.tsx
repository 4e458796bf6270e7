import { Link, useParams } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { type ResourceConfig, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t, localeName } from '../texts/index.js';
import { tenantLocales } from '../../../contracts/tenancy/locales/locales.contract.js';
import { localeForm, localeList, type Locale } from '../structure/locale-table.js';
import { projects } from '../../../contracts/tenancy/projects/projects.contract.js';
import type { Outputs } from '../api/client.js';

interface Props<Item extends object> {
  readonly resource: ResourceConfig<Item>;
  /** Whose they are. */
  readonly about: (tenant: string) => string;
}

/** A list of the tenant that the address names, for super-admins. */
function TenantPartScreen<Item extends object>({ resource, about }: Props<Item>) {
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

const tenantLocaleList = resourceOf<Locale>({
  name: 'tenantLocales',
  contracts: tenantLocales,
  ...localeList,
  columns: ['code', 'name', 'fallbackCode', 'isDefault', 'isActive'],
  cells: { code: ({ code }) => localeName(code) },
  form: localeForm,
  refreshes: [[['tenants']], [['locales']]],
});

/** Locales of any tenant, for super-admins. */
export const TenantLocalesScreen = () => (
  <TenantPartScreen about={(tenant) => t('locales.ofTenant', { tenant })} resource={tenantLocaleList} />
);

type Project = Outputs['projects']['list']['data'][number];

const tenantProjectList = resourceOf<Project>({
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
  <TenantPartScreen about={(tenant) => t('projects.title', { tenant })} resource={tenantProjectList} />
);
