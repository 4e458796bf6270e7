import { z } from 'zod';
import { LocaleCode, Name, ScopeSlug, Timestamp } from '../primitives.js';
import { limits } from '../limits.js';
import { Email } from './user.js';

/** A locale of a tenant (decisions 2.27). */
export const Locale = z
  .object({
    code: z.string(),
    name: z.string(),
    isDefault: z.boolean(),
    fallbackCode: z.string().nullable(),
    isActive: z.boolean(),
  })
  .meta({ id: 'Locale', description: 'A locale that content may be written in.' });
export type Locale = z.infer<typeof Locale>;

/** A project. */
export const Project = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'Project', description: 'A project of a tenant.' });
export type Project = z.infer<typeof Project>;

/** How much of something a tenant may have; what is absent is not limited. */
const TenantLimits = z
  .strictObject({
    projects: z.int().min(1).max(100_000).optional().meta({ description: 'Projects.', example: 10 }),
    users: z.int().min(1).max(1_000_000).optional().meta({ description: 'Accounts of users.', example: 100 }),
  })
  .meta({ description: 'How much the tenant may have; an absent key limits nothing.', example: {} });

/** A tenant with its locales and projects (decisions 2.26). */
export const Tenant = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    status: z.enum(['active', 'deactivated']),
    locales: z.array(Locale),
    defaultLocale: z.string(),
    dataRegion: z.string().nullable(),
    limits: z.object({ projects: z.int().optional(), users: z.int().optional() }),
    projects: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Tenant', description: 'A tenant: the owner of locales and projects.' });
export type Tenant = z.infer<typeof Tenant>;

/** A locale in a body: its code alone, or with name and fallback. */
export const LocaleInput = z.union([
  LocaleCode,
  z.strictObject({
    code: LocaleCode,
    name: Name.optional(),
    fallbackCode: LocaleCode.nullish(),
    isActive: z.boolean().optional(),
  }),
]);
export type LocaleInput = z.infer<typeof LocaleInput>;

const Locales = z.array(LocaleInput).min(1).max(limits.localesPerTenant);
const DataRegion = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9-]+$/)
  .meta({ description: 'Region identifier.', example: 'eu-central' });

/** Keys of a new project. */
export const projectInput = { slug: ScopeSlug, name: Name };

/** Keys of a new tenant; `project` creates its first project in the same transaction. */
export const tenantInput = {
  slug: ScopeSlug,
  name: Name,
  locales: Locales.default(['en-US']).meta({ description: 'Locales; the default one must be among them.' }),
  defaultLocale: LocaleCode.optional(),
  dataRegion: DataRegion.nullish(),
  limits: TenantLimits.optional(),
  ownerEmail: Email.optional(),
  project: z.strictObject(projectInput).optional(),
};

/** Keys of a change; `locales` is the whole new list. */
export const tenantChange = {
  name: Name.optional(),
  status: z.enum(['active', 'deactivated']).optional(),
  locales: Locales.optional(),
  defaultLocale: LocaleCode.optional(),
  dataRegion: DataRegion.nullish(),
  limits: TenantLimits.optional(),
};
