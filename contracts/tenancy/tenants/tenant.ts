import { z } from 'zod';
import { CONTROL_CHARACTERS, LocaleCode, Name, ScopeSlug, Timestamp } from '../../primitives.js';
import { limits } from '../../limits.js';
import { Email } from '../../access/users/user.js';
import { Locale, localeInput } from '../locales/locale.js';

export const Project = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'Project', description: 'A project of a tenant.' });
export type Project = z.infer<typeof Project>;

/** Omitted keys are unlimited. */
const TenantLimits = z
  .strictObject({
    projects: z.int().min(1).max(100_000).optional().meta({ description: 'Projects.', example: 10 }),
    users: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: 'Maximum number of user accounts.', example: 100 }),
  })
  .meta({ description: 'Limits of the tenant. An omitted key is unlimited.', example: {} });

const RequireSecondFactor = z.boolean().meta({
  description: 'Users without a second factor can only set one up.',
  example: true,
});

/** Rule access/tenants. */
export const Tenant = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    status: z.enum(['active', 'deactivated']).meta({ description: 'Whether the tenant is in use.' }),
    locales: z.array(Locale).meta({ description: 'Locales of the tenant.' }),
    defaultLocale: z.string(),
    dataRegion: z.string().nullable(),
    limits: z.object({
      projects: z.int().optional().meta({ description: 'Highest number of projects.' }),
      users: z.int().optional().meta({ description: 'Highest number of users.' }),
    }),
    mailSender: z.object({
      name: z.string().nullable().meta({ description: 'Name of the sender.' }),
      address: z.string().nullable(),
      replyTo: z.string().nullable(),
    }),
    requireSecondFactor: RequireSecondFactor,
    projects: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Tenant', description: 'A tenant with its locales and projects.' });
export type Tenant = z.infer<typeof Tenant>;

/** Headers are built from these. */
const SenderName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}<>"]/u.test(name), {
    error: 'Must have no line breaks, control characters, quotation marks or angle brackets.',
  })
  .meta({ pattern: `^[^${CONTROL_CHARACTERS}<>"]*$` })
  .nullish()
  .meta({ description: 'Name of the sender. Defaults to that of `MAIL_FROM`.', example: 'Acme' });
const mailbox = (description: string) =>
  z.email().max(320).nullish().meta({ description, example: 'cms@example.com' });

const MailSender = z
  .strictObject({
    name: SenderName,
    address: mailbox(
      'Address of the sender. The mail server must accept it. Defaults to that of `MAIL_FROM`.',
    ),
    replyTo: mailbox('Address for replies.'),
  })
  .meta({ description: 'Sender of the mails of the tenant. Replaces the whole object.', example: {} });

/** A code, or a code with name and fallback. */
export const LocaleInput = z.union([LocaleCode, z.strictObject(localeInput)]);
export type LocaleInput = z.infer<typeof LocaleInput>;

const Locales = z.array(LocaleInput).min(1).max(limits.localesPerTenant);
const DataRegion = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9-]+$/)
  .meta({
    description: 'Value of `X-Service-Data-Region`. Defaults to that of the installation.',
    example: 'eu-central',
  });

export const projectInput = { slug: ScopeSlug, name: Name };

/** `project` creates the first project in the same transaction. */
export const tenantInput = {
  slug: ScopeSlug,
  name: Name,
  locales: Locales.default(['en-US']).meta({ description: 'Locales. Must include the default locale.' }),
  defaultLocale: LocaleCode.optional(),
  dataRegion: DataRegion.nullish(),
  limits: TenantLimits.optional(),
  mailSender: MailSender.optional(),
  requireSecondFactor: RequireSecondFactor.optional(),
  ownerEmail: Email.optional(),
  project: z.strictObject(projectInput).optional(),
};

/** `locales` replaces the whole list. */
export const tenantChange = {
  name: Name.optional(),
  status: z.enum(['active', 'deactivated']).optional().meta({ description: 'Whether the tenant is in use.' }),
  locales: Locales.optional(),
  defaultLocale: LocaleCode.optional(),
  dataRegion: DataRegion.nullish(),
  limits: TenantLimits.optional(),
  mailSender: MailSender.optional(),
  requireSecondFactor: RequireSecondFactor.optional(),
};
