import type { Locale, Tenant } from '../../../contracts/resources/tenant.js';
import type { LocaleRow, TenantDetails } from './tenant.repository.js';

const presentLocale = (row: LocaleRow, defaultLocale: string): Locale => ({
  code: row.code,
  name: row.name,
  isDefault: row.code === defaultLocale,
  fallbackCode: row.fallbackCode,
  isActive: row.isActive,
});

export function presentTenant({ tenant, locales, projects }: TenantDetails): Tenant {
  return {
    id: tenant.id,
    slug: tenant.slug,
    name: tenant.name,
    status: tenant.status,
    locales: locales.map((row) => presentLocale(row, tenant.defaultLocale)),
    defaultLocale: tenant.defaultLocale,
    dataRegion: tenant.dataRegion,
    limits: tenant.limits,
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    createdAt: tenant.createdAt.toISOString(),
    updatedAt: tenant.updatedAt.toISOString(),
  };
}
