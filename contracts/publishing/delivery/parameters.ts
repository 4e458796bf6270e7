import { z } from 'zod';
import { limits } from '../../limits.js';
import { InstantInput } from '../../primitives.js';

/** Accepts every string: an unknown locale is 404 `locale_not_found`. */
export const deliveryLocale = z.string().max(100).optional().meta({
  description: 'Locale. Defaults to the site default. Locale fallbacks apply.',
  example: 'en',
});
export const redirectLocale = z.string().max(100).optional().meta({
  description: 'Filter by locale; redirects of every locale are included. Defaults to all redirects.',
  example: 'en',
});
/** Rule delivery/entry. */
export const include = z
  .int()
  .min(0)
  .max(limits.includeMaximum)
  .default(0)
  .meta({ description: 'Levels of references to expand, 0 to 3.', example: 0 });
/** Rule delivery/own-blocks. */
export const blocks = z.enum(['hops', 'all']).default('hops').meta({
  description:
    'How blocks that are part of an entry are expanded: `hops`, one level for each level of references, or `all`, on every level without counting.',
  example: 'all',
});
/** Rule delivery/paths. */
export const paths = z.boolean().default(false).meta({
  description: 'Add `_path` to every entry of the response, expanded ones included.',
  example: true,
});
/** Rule content/rich-text. */
export const links = z.enum(['path', 'absolute']).default('path').meta({
  description:
    'How rich text links to pages from `include=1` on: `path`, or `absolute` for URLs that start with the URL of their site.',
  example: 'path',
});
/** Rule publication/previews. Accepts every string: an invalid token is 403 `invalid_preview_token`. */
export const previewToken = z.string().optional().meta({
  description:
    'Token of a preview link or session. That of a link returns the draft of its entry and locale, that of a session drafts of its site.',
  example:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6Imh3LXByZXZpZXcrand0In0.eyJwcmoiOiIwMTlhM2I1ZSJ9.uN4eVdVgYz0x8Qk0m3xq5l2cB7wKJ1n9rT6sD4fH2aE',
});

/** Rule publication/preview-sessions. */
export const previewSession = previewToken.meta({
  description: 'Token of a preview session. Returns drafts of its site.',
  example:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6Imh3LXByZXZpZXctc2Vzc2lvbitqd3QifQ.eyJwcmoiOiIwMTlhM2I1ZSJ9.uN4eVdVgYz0x8Qk0m3xq5l2cB7wKJ1n9rT6sD4fH2aE',
});

/** Rule publication/future. Accepts every string: an unknown release is 404 `release_not_found`. */
const release = z.string().optional().meta({
  description:
    'Id of a release. Returns what will be published once it is, for preview and management keys and preview sessions.',
  example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
});
const at = InstantInput.optional().meta({
  description:
    'Time in the future, ISO 8601 with an offset or Z. Returns what will be published once the schedules until then have run, for preview and management keys and preview sessions. With `release`, the release is published then.',
  example: '2099-01-01T00:00:00Z',
});
/** Rule publication/future. */
export const future = { release, at };
export const futureFailures = ['preview_not_allowed', 'release_not_found', 'limit_reached'] as const;

const value = z.string().max(limits.filterValueLength);
const one = value.optional();
/** Text separates values with commas; REST decodes it to a list, and parameters may be repeated. */
const several = z.union([value, z.array(value).min(1).max(limits.filterValues)]).optional();

/** Operators of a delivery filter (rule delivery/filters). */
export const Comparisons = z.strictObject({
  eq: one,
  ne: one,
  in: several,
  nin: several,
  gt: one,
  gte: one,
  lt: one,
  lte: one,
  contains: one,
  exists: one,
});
export type FilterOperator = keyof z.infer<typeof Comparisons>;

/** No field has this name; a record would drop it silently. */
function refuseProto(filter: unknown, context: z.core.$RefinementCtx): void {
  if (typeof filter !== 'object' || filter === null || !Object.hasOwn(filter, '__proto__')) return;
  context.addIssue({ code: 'unrecognized_keys', keys: ['__proto__'], input: { ...filter } });
}

/**
 * `filter[field][op]=value`; `in` and `nin` accept several values, `exists` true or false.
 * A pipe, because the OpenAPI generator has no other type for several query parameters.
 */
export const contentFilter = z
  .unknown()
  .superRefine(refuseProto)
  .pipe(z.record(z.string(), Comparisons))
  .optional()
  .meta({
    description:
      'Filter by field values and by `_slug`, `_id` and `_publishedAt`: `filter[field][op]=value` with eq, ne, in, nin, gt, gte, lt, lte, contains or exists. Multiple conditions are combined with AND. Separate the values of in and nin with commas, or repeat the parameter; `\\,` is a comma.',
    example: { title: { contains: 'lock' } },
  });

/**
 * A filter as one parameter, which every client can send (rule delivery/where). A string, because generated clients
 * write objects in parameters in different ways.
 */
export const where = z.string().min(1).max(limits.whereLength).optional().meta({
  description:
    'Filter as JSON, with the fields and operators of `filter`, such as `{"title": {"contains": "lock"}}`. `and` and `or` take lists of such filters, `not` takes one. A reference field takes a filter of the entries it refers to, such as `{"author": {"name": {"eq": "Ada Weir"}}}`.',
  example: '{"or":[{"title":{"contains":"lock"}},{"author":{"name":{"eq":"Ada Weir"}}}]}',
});

/** `fields=a,b`. */
export const fieldSelection = z
  .array(z.string())
  .min(1)
  .max(limits.fieldsPerContentType)
  .optional()
  .meta({
    description: 'Return only these fields of each entry, separated by commas.',
    example: ['title'],
  });
