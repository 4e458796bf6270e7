import { z } from 'zod';
import { limits } from '../../limits.js';

/** Operators of a delivery filter (rule delivery/filters). */
const filterOperators = ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists'] as const;
export type FilterOperator = (typeof filterOperators)[number];

const value = z.string().max(limits.filterValueLength);

const Comparisons = z.strictObject(
  Object.fromEntries(filterOperators.map((name) => [name, value.optional()])) as Record<
    FilterOperator,
    z.ZodOptional<typeof value>
  >,
);

/** No field has this name; a record would drop it silently. */
function refuseProto(filter: unknown, context: z.core.$RefinementCtx): void {
  if (typeof filter !== 'object' || filter === null || !Object.hasOwn(filter, '__proto__')) return;
  context.addIssue({ code: 'unrecognized_keys', keys: ['__proto__'], input: { ...filter } });
}

/**
 * `filter[field][op]=value`; `in` and `nin` accept values separated by commas, `exists` true or false.
 * A pipe, because the OpenAPI generator has no other type for several query parameters.
 */
export const contentFilter = z
  .unknown()
  .superRefine(refuseProto)
  .pipe(z.record(z.string(), Comparisons))
  .optional()
  .meta({
    description:
      'Filter by field values and by `_slug`, `_id` and `_publishedAt`: `filter[field][op]=value` with eq, ne, in, nin, gt, gte, lt, lte, contains or exists. Multiple conditions are combined with AND.',
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
