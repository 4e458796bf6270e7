import { z } from 'zod';
import { Description, LocaleCode, Name, ScopeSlug, Timestamp } from '../../primitives.js';
import { limits } from '../../limits.js';

const Domain = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    'must be a host name',
  )
  .meta({ description: 'Host name of the site.', example: 'www.example.com' });
const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .max(limits.urlLength)
  .meta({ description: 'Absolute URL that paths are appended to.', example: 'https://www.example.com' });
const PathStrategy = z
  .enum(['prefix', 'none'])
  .meta({ description: 'Whether paths of all locales except the default start with the locale.' });
const PreviewTemplate = z
  .string()
  .max(limits.urlLength)
  .regex(/^https?:\/\/[^\s/]/i, 'must be an http or https URL')
  .meta({
    description:
      'Preview URL, http or https, with the placeholders {token} {path} {locale} {slug} {entryId} {contentType}.',
    example: 'https://preview.example.com{path}?token={token}',
  });

const AllowedTarget = z
  .string()
  .max(255)
  .regex(
    /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    'must be a host name, or "*." and one',
  )
  .meta({ example: '*.example.com' });
const AllowedTargets = z
  .array(AllowedTarget)
  .max(limits.allowedTargetsPerSite)
  .meta({
    description:
      'Hosts that targets of redirects may name; `*.example.com` means every host below `example.com`. Null allows every host, an empty list none. Redirects to other hosts are not served.',
    example: ['shop.example.com', '*.example.org'],
  });

const RequiredLocales = z
  .array(LocaleCode)
  .max(limits.localesPerTenant)
  .meta({
    description:
      'Locales that content of the site must have. The score of `reports/content-health` ignores the others. Empty means the default locale.',
    example: ['en', 'de'],
  });

const IsActive = z
  .boolean()
  .meta({ description: 'If false, the site is hidden from anonymous callers and delivery keys.' });

/** What a path style makes ambiguous, and redirects after a change of it (rule routing/path-style). */
export const SiteMeta = z
  .object({
    warnings: z
      .array(z.object({ path: z.array(z.string()), code: z.literal('ambiguous_paths'), message: z.string() }))
      .optional(),
    redirectsCreated: z
      .int()
      .optional()
      .meta({ description: 'Number of redirects from the old paths of published pages to the new ones.' }),
  })
  .meta({ id: 'SiteMeta', description: 'Effect of a change of a site.' });
export type SiteMeta = z.infer<typeof SiteMeta>;

export const Site = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    domain: z.string().nullable(),
    baseUrl: z.string().nullable(),
    defaultLocale: z.string(),
    locales: z.array(z.string()),
    localePathStrategy: PathStrategy,
    previewUrlTemplate: z.string().nullable(),
    allowedTargets: AllowedTargets.nullable(),
    requiredLocales: RequiredLocales,
    homeEntryId: z.string().nullable(),
    isActive: IsActive,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Site', description: 'A site of a project.' });
export type Site = z.infer<typeof Site>;

/** `locales` defaults to the tenant's, `defaultLocale` to the tenant's default. */
export const siteInput = {
  slug: ScopeSlug,
  name: Name,
  description: Description.nullish(),
  domain: Domain.nullish(),
  baseUrl: BaseUrl.nullish(),
  defaultLocale: LocaleCode.optional(),
  locales: z.array(LocaleCode).min(1).max(limits.localesPerTenant).optional(),
  localePathStrategy: PathStrategy.optional(),
  previewUrlTemplate: PreviewTemplate.nullish(),
  allowedTargets: AllowedTargets.nullish(),
  requiredLocales: RequiredLocales.optional(),
  isActive: IsActive.optional(),
};

/** Omitted keys are unchanged, null clears. */
export const siteChange = {
  ...siteInput,
  slug: ScopeSlug.optional(),
  name: Name.optional(),
  homeEntryId: z.string().nullish().meta({ description: 'Entry served at the path "/".' }),
};
