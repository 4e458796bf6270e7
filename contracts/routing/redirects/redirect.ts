import { z } from 'zod';
import { limits } from '../../limits.js';
import { LocaleCode, observed, Timestamp } from '../../primitives.js';

const RedirectStatus = z.literal([301, 302, 307, 308, 410]).meta({
  description:
    'HTTP status: 301 and 308 are permanent. 410 means that the path was removed for good; it has no target.',
  example: 301,
});
export type RedirectStatus = z.infer<typeof RedirectStatus>;

const RedirectMatch = z.enum(['exact', 'prefix', 'regex']).meta({
  description:
    'How `source` is compared with a path: `exact` as a whole, `prefix` as its first segments (the rest of the path is kept), `regex` as a pattern of the whole path.',
  example: 'exact',
});
export type RedirectMatch = z.infer<typeof RedirectMatch>;

export const QueryMatch = z.enum(['ignore', 'exact', 'pass']).meta({
  description:
    'What the redirect does with parameters of a request that its source does not name: `ignore` drops them, `exact` does not match, `pass` adds them to the target.',
  example: 'ignore',
});
export type QueryMatch = z.infer<typeof QueryMatch>;

export const RedirectOrigin = z
  .enum(['manual', 'import', 'auto'])
  .meta({ description: 'How the redirect was created.', example: 'manual' });
export type RedirectOrigin = z.infer<typeof RedirectOrigin>;

export const Redirect = z
  .object({
    id: z.string(),
    siteId: z.string(),
    source: z.string().meta({ description: 'Path that is redirected.' }),
    target: z.string().nullable().meta({ description: 'Null with status 410.' }),
    status: RedirectStatus,
    matchType: RedirectMatch,
    queryMatch: QueryMatch,
    locale: z.string().nullable().meta({ description: 'Locale it applies to. Null means every locale.' }),
    isActive: z.boolean(),
    origin: RedirectOrigin,
    note: z.string().nullable(),
    hitCount: observed(
      z.int().meta({
        description:
          'Number of times the redirect was used, updated with a delay of a few seconds. Cached responses are not counted.',
      }),
    ),
    lastHitAt: observed(Timestamp.nullable()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Redirect',
    description:
      'A redirect from a path of a site to another path or URL, or the removal of a path for good.',
  });
export type Redirect = z.infer<typeof Redirect>;

const RedirectSource = z.string().min(1).max(limits.redirectPathBytes).meta({
  description:
    'Path that is left, from `/`. It is kept percent-decoded, in NFC and without a trailing slash. With `exact`, it may have a query, whose parameters a request must have, in any order: `/index.php?id=12`. With `regex` a pattern of the path that starts with `/`.',
  example: '/old-locks',
});
const RedirectTarget = z.string().min(1).max(limits.redirectPathBytes).meta({
  description:
    'A path of the site with optional query and fragment, or an absolute https URL whose host the `allowedTargets` of the site include. With `regex`, `$1` to `$9` insert the groups of the pattern, in a URL only after its host.',
  example: '/locks',
});

const redirectKeys = {
  status: RedirectStatus.optional(),
  matchType: RedirectMatch.optional(),
  queryMatch: QueryMatch.optional(),
  locale: LocaleCode.nullish().meta({
    description: 'A locale of the site. Omitted or null means every locale.',
    example: 'en-US',
  }),
  isActive: z.boolean().optional(),
  note: z.string().max(limits.commentLength).nullish().meta({ description: 'Reason for the redirect.' }),
};

/** Defaults: 301, exact, ignored query, active, every locale. A target is required except with status 410. */
export const redirectInput = {
  siteId: z.uuid().meta({ description: 'The site.', example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' }),
  source: RedirectSource,
  target: RedirectTarget.nullish(),
  ...redirectKeys,
};

/** Omitted keys are unchanged, null clears. */
export const redirectChange = {
  source: RedirectSource.optional(),
  target: RedirectTarget.nullish(),
  ...redirectKeys,
};

/** A rejected row of an import. */
export const RedirectImportIssue = z.object({
  line: z.int().meta({ description: 'Line of the file where the row starts, from 1.' }),
  code: z.string(),
  message: z.string(),
});
export type RedirectImportIssue = z.infer<typeof RedirectImportIssue>;

/** In a dry run, what the import would do. */
export const RedirectImportReport = z
  .object({
    total: z.int().meta({ description: 'Number of rows in the file.' }),
    created: z.int(),
    updated: z.int(),
    skipped: z.int().meta({ description: 'Number of rows that change nothing.' }),
    failed: z.int(),
    deleted: z
      .int()
      .meta({ description: 'With `mode=replace`, the number of redirects missing from the file.' }),
    errors: z.array(RedirectImportIssue),
    dryRun: z.boolean().meta({ description: 'Whether nothing was written.' }),
  })
  .meta({ id: 'RedirectImportReport', description: 'Result of an import of redirects.' });
export type RedirectImportReport = z.infer<typeof RedirectImportReport>;

/** REST sends `csv` as the body and `fileName` in `Content-Disposition`. */
export const RedirectExport = z
  .object({
    csv: z.string().meta({
      example:
        'source,target,status,site,locale,matchType,queryMatch,isActive,note\r\n/old-locks,/locks,301,main,,exact,ignore,true,\r\n',
    }),
    fileName: z.string(),
  })
  .meta({ description: 'Redirects as a CSV file.' });
export type RedirectExport = z.infer<typeof RedirectExport>;
