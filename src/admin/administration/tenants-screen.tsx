import { tenants } from '../../../contracts/tenancy/tenants/tenants.contract.js';
import type { Outputs } from '../api/client.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { TextList } from '../resources/text-list.js';
import { Link } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';

/** The projects of a tenant, and where one is created. */
function ProjectLinks({ tenant }: { readonly tenant: Outputs['tenants']['get']['data'] }) {
  const { slug, environment } = useProject();
  return (
    <Link to={['', slug, environment, 'tenants', tenant.slug].join('/')}>
      {tenant.projects.length === 0
        ? t('projects.create')
        : tenant.projects.map((project) => project.name).join(', ')}
    </Link>
  );
}

/** The locales of a tenant, and where they are changed. */
function LocaleLink({ tenant }: { readonly tenant: Outputs['tenants']['get']['data'] }) {
  const { slug, environment } = useProject();
  return (
    <Link to={['', slug, environment, 'tenants', tenant.slug, 'locales'].join('/')}>
      {tenant.locales.map(({ code }) => code).join(', ')}
    </Link>
  );
}

type Tenant = Outputs['tenants']['get']['data'];

/** Codes of locales. Names and fallbacks of those that exist are kept: the list has them as objects. */
function LocaleCodes({ value, onChange, ...props }: PropertyControlProps) {
  const locales = Array.isArray(value) ? (value as (string | { code: string } | null)[]) : [];
  const codes = locales.map((one) => (typeof one === 'object' ? (one?.code ?? null) : one));
  return (
    <TextList
      {...props}
      onChange={(next) =>
        onChange(
          ((next ?? []) as (string | null)[]).map(
            (code) => locales.find((one) => typeof one === 'object' && one?.code === code) ?? code,
          ),
        )
      }
      value={codes}
    />
  );
}

const resource = resourceOf<Tenant>({
  name: 'tenants',
  contracts: tenants,
  title: 'tenants.title',
  hint: 'tenants.hint',
  createLabel: 'tenants.create',
  nameOf: ({ name }) => name,
  key: { input: 'tenantSlug', item: 'slug' },
  columns: ['name', 'status', 'slug', 'projects', 'locales', 'createdAt'],
  cells: {
    locales: (tenant) => <LocaleLink tenant={tenant} />,
    projects: (tenant) => <ProjectLinks tenant={tenant} />,
  },
  facts: ['slug', 'projects', 'createdAt'],
  form: { order: ['name', 'slug', 'locales', 'defaultLocale'], editors: { locales: LocaleCodes } },
  valuesOf: ({
    name,
    status,
    locales,
    defaultLocale,
    dataRegion,
    limits,
    mailSender,
    requireSecondFactor,
  }) => ({
    name,
    status,
    defaultLocale,
    dataRegion,
    limits,
    mailSender,
    requireSecondFactor,
    locales: locales.map(({ code, name: localeName, fallbackCode, isActive }) => ({
      code,
      fallbackCode,
      isActive,
      name: localeName,
    })),
  }),
  actions: [
    {
      verb: 'deactivate',
      label: 'tenants.deactivate',
      question: 'tenants.deactivateQuestion',
      done: 'tenants.deactivated',
      isDangerous: true,
      isOffered: ({ status }) => status === 'active',
    },
  ],
});

export const TenantsScreen = () => <ResourceScreen resource={resource} />;
