import { z } from 'zod';
import { limits } from '../../limits.js';

const value = z.string().max(limits.filterValueLength);
const one = value.optional();
/** Text separates values with commas; REST decodes it to a list, and parameters may be repeated. */
const several = z.union([value, z.array(value).min(1).max(limits.filterValues)]).optional();

/** Operators of a delivery filter (rule delivery/filters). */
const Comparisons = z.strictObject({
  ...{ eq: one, ne: one, in: several, nin: several },
  ...{ gt: one, gte: one, lt: one, lte: one, contains: one, exists: one },
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
