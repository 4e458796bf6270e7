import type { Locale, Tenant } from '../../../contracts/resources/tenant.js';
import type { LocaleRow, ProjectRow, TenantRow } from '../../persistence/models/access.js';

/** A tenant with what belongs to it. */
export interface WholeTenant {
  readonly tenant: TenantRow;
  /** In order of position. */
  readonly locales: readonly LocaleRow[];
  readonly projects: readonly Pick<ProjectRow, 'id' | 'slug' | 'name'>[];
}

const presentLocale = (row: LocaleRow, defaultLocale: string): Locale => ({
  code: row.code,
  name: row.name,
  isDefault: row.code === defaultLocale,
  fallbackCode: row.fallbackCode,
  isActive: row.isActive,
});

/** A tenant as the platform interface shows it. */
export function presentTenant({ tenant, locales, projects }: WholeTenant): Tenant {
  return {
    id: tenant.id,
    slug: tenant.slug,
    name: tenant.name,
    status: tenant.status,
    locales: locales.map((row) => presentLocale(row, tenant.defaultLocale)),
    defaultLocale: tenant.defaultLocale,
    dataRegion: tenant.dataRegion,
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    createdAt: tenant.createdAt.toISOString(),
    updatedAt: tenant.updatedAt.toISOString(),
  };
}
