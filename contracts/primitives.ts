import { z } from 'zod';
import { limits } from './limits.js';

/** Lower-case UUID (version 7 where the service made it). */
export const Id = z.uuid().meta({ description: 'A UUID.', example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' });

/**
 * A value standing in the path. What is ill-formed there does not exist, so it is answered with
 * 404 by the look-up and never with 422 (decisions 2.29): the schema accepts every string.
 */
export const inPath = (description: string, example: string) => z.string().meta({ description, example });

/** `apiName` of a content type or field: a legal GraphQL name without a double underscore. */
export const ApiName = z
  .string()
  .max(limits.apiNameLength)
  .regex(
    /^[A-Za-z][A-Za-z0-9_]*$/,
    'must start with a letter and contain only letters, digits and underscores',
  )
  .refine((name) => !name.includes('__'), 'must not contain two underscores in a row')
  .meta({ description: 'Name used in GraphQL and JSON.', example: 'article' });

/** A JSON Schema; the content kernel knows which ones can be used. */
export const JsonSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'JSON Schema 2020-12: at most 64 KiB and 10 schemas deep, references within the document, patterns without look-around or backreferences.',
  example: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
});

/** Slug of a tenant, project, site or environment. */
export const ScopeSlug = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
  .meta({ description: 'Lower-case letters, digits and inner hyphens.', example: 'main-site' });

/** Path segment of an entry: any letters and digits of any script; NFC-normalised by the service. */
export const EntrySlug = z
  .string()
  .min(1)
  .max(limits.slugLength)
  .regex(/^[^\s/?#%\\\p{Cc}]+$/u, 'must not contain spaces, slashes, "?", "#", "%" or control characters')
  .refine((slug) => slug !== '.' && slug !== '..', 'must not be a dot segment')
  .meta({ description: 'One path segment.', example: 'the-upper-lock' });

/** BCP 47 code such as `en`, `de-CH` or `zh-Hans-CN`, in its canonical case. */
export const LocaleCode = z
  .string()
  .regex(
    /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?(?:-[a-z0-9]{4,8})*$/,
    'must be a BCP 47 code such as en or de-CH',
  )
  .max(35)
  .meta({ description: 'A BCP 47 locale code.', example: 'en-US' });

/** Counter of an entry, from 1. */
export const Version = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta({ description: 'The version of the entry.', example: 3 });

/** UTC time, ISO 8601 with milliseconds and `Z`. */
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'UTC, ISO 8601 with milliseconds.', example: '2026-03-01T09:30:00.000Z' });

/** A time given by a caller: ISO 8601 with an offset or `Z`. */
export const InstantInput = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 with an offset or Z.', example: '2027-01-01T00:00:00Z' });

export const Name = z
  .string()
  .trim()
  .min(1)
  .max(limits.nameLength)
  .meta({ description: 'A name for people.', example: 'Article' });
export const Description = z
  .string()
  .max(limits.descriptionLength)
  .meta({ description: 'What it is for.', example: 'Long-form writing with an author.' });

/** Query parameters of every management list (decisions 2.6). */
export const paging = {
  page: z
    .int()
    .min(1)
    .max(limits.pageMaximum)
    .default(1)
    .meta({ description: 'Page number, starting at 1.', example: 1 }),
  limit: z
    .int()
    .min(1)
    .max(limits.pageLimitMaximum)
    .default(limits.pageLimitDefault)
    .meta({ description: 'Items per page.', example: 25 }),
};

/** `orderBy=<key>:asc|desc` over the given keys. */
export function orderBy<const K extends string>(
  keys: readonly [K, ...K[]],
  fallback: `${K}:${'asc' | 'desc'}`,
) {
  const values = keys.flatMap((key) => [`${key}:asc`, `${key}:desc`] as const) as [`${K}:${'asc' | 'desc'}`];
  return z
    .enum(values)
    .default(fallback as never)
    .meta({ description: 'Sort key and direction. Ties are broken by id.', example: fallback });
}

/** Search of a list by part of a name. */
export const nameContains = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'Filter by a string in the name, ignoring case.', example: 'river' });

/** Filter of a list by any of several values. */
export const anyOf = <S extends z.ZodType>(item: S, description: string, example: string) =>
  z
    .array(item)
    .max(100)
    .optional()
    .meta({
      description: `${description} Separate multiple values with commas to match any of them.`,
      example: [example],
    });
