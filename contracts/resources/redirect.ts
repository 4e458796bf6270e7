import { z } from 'zod';
import { limits } from '../limits.js';
import { LocaleCode, Timestamp } from '../primitives.js';

const RedirectStatus = z
  .literal([301, 302, 307, 308])
  .meta({ description: 'HTTP status of the redirect: 301 and 308 are permanent.', example: 301 });
export type RedirectStatus = z.infer<typeof RedirectStatus>;

const RedirectMatch = z.enum(['exact', 'prefix', 'regex']).meta({
  description:
    'How `source` is compared with a path: `exact` as a whole, `prefix` as its first segments (the rest of the path is kept), `regex` as a pattern of the whole path.',
  example: 'exact',
});
export type RedirectMatch = z.infer<typeof RedirectMatch>;

/** How a redirect came to be: written, imported, or left behind where a page moved. */
export const RedirectOrigin = z
  .enum(['manual', 'import', 'auto'])
  .meta({ description: 'How the redirect came to be.', example: 'manual' });
export type RedirectOrigin = z.infer<typeof RedirectOrigin>;

/** A redirect of a site. */
export const Redirect = z
  .object({
    id: z.string(),
    siteId: z.string(),
    source: z.string(),
    target: z.string(),
    status: RedirectStatus,
    matchType: RedirectMatch,
    locale: z.string().nullable().meta({ description: 'The locale it is for; null means every locale.' }),
    isActive: z.boolean(),
    origin: RedirectOrigin,
    note: z.string().nullable(),
    hitCount: z.int().meta({
      description:
        'Number of times the redirect was used, updated with a delay of a few seconds. Cached responses are not counted.',
    }),
    lastHitAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Redirect', description: 'A redirect from one path of a site to another.' });
export type Redirect = z.infer<typeof Redirect>;

const RedirectSource = z.string().min(1).max(limits.redirectPathBytes).meta({
  description:
    'Path that is left, from `/`, without query and fragment. It is kept percent-decoded, in NFC and without a trailing slash. With `regex` a pattern that starts with `/`.',
  example: '/old-locks',
});
const RedirectTarget = z.string().min(1).max(limits.redirectPathBytes).meta({
  description: 'Target path. With `regex`, `$1` to `$9` insert the groups of the pattern.',
  example: '/locks',
});

/** Keys of a redirect that a caller may set and later change. */
const redirectKeys = {
  status: RedirectStatus.optional(),
  matchType: RedirectMatch.optional(),
  locale: LocaleCode.nullish().meta({
    description: 'A locale of the site; absent or null means every locale.',
    example: 'en-US',
  }),
  isActive: z.boolean().optional(),
  note: z.string().max(limits.commentLength).nullish().meta({ description: 'Why it is there.' }),
};

/** Keys of a new redirect: 301, exact, active and for every locale unless they say otherwise. */
export const redirectInput = {
  siteId: z.uuid().meta({ description: 'The site.', example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' }),
  source: RedirectSource,
  target: RedirectTarget,
  ...redirectKeys,
};

/** Keys of a change: omitted is untouched, null clears. */
export const redirectChange = {
  source: RedirectSource.optional(),
  target: RedirectTarget.optional(),
  ...redirectKeys,
};

/** A row of an import that was refused. */
export const RedirectImportIssue = z.object({
  line: z.int().meta({ description: 'Line of the file where the row starts, from 1.' }),
  code: z.string(),
  message: z.string(),
});
export type RedirectImportIssue = z.infer<typeof RedirectImportIssue>;

/** What an import did, or in a dry run would do. */
export const RedirectImportReport = z
  .object({
    total: z.int().meta({ description: 'Rows of the file.' }),
    created: z.int(),
    updated: z.int(),
    skipped: z.int().meta({ description: 'Rows that change nothing.' }),
    failed: z.int(),
    deleted: z.int().meta({ description: 'With `mode=replace`, redirects that the file does not name.' }),
    errors: z.array(RedirectImportIssue),
    dryRun: z.boolean(),
  })
  .meta({ id: 'RedirectImportReport', description: 'What an import of redirects did.' });
export type RedirectImportReport = z.infer<typeof RedirectImportReport>;

/** A CSV file of redirects. REST sends `csv` as the body and `fileName` in `Content-Disposition`. */
export const RedirectExport = z
  .object({
    csv: z.string().meta({
      example:
        'source,target,status,site,locale,matchType,isActive,note\r\n/old-locks,/locks,301,main,,exact,true,\r\n',
    }),
    fileName: z.string(),
  })
  .meta({ description: 'Redirects as a CSV file.' });
export type RedirectExport = z.infer<typeof RedirectExport>;
