import { z } from 'zod';

export const dataOf = <S extends z.ZodType>(schema: S) => z.object({ data: schema });

/** Either the result or the job that will produce it. */
export const dataOrJob = <S extends z.ZodType, J extends z.ZodType>(schema: S, job: J) =>
  z.object({ data: z.union([schema, job]) });

/** Something to look at in a result. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** Path from the root of the input. */
  readonly path?: (string | number)[];
}

/** A result; `meta` is absent without warnings. */
export interface Warned<T> {
  data: T;
  meta?: { warnings: Warning[] };
}

export const withWarnings = <T>(data: T, warnings: readonly Warning[]): Warned<T> =>
  warnings.length === 0 ? { data } : { data, meta: { warnings: [...warnings] } };

export const warningShape = z.object({
  code: z.string(),
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
});

export const dataWithWarnings = <S extends z.ZodType>(schema: S) =>
  z.object({
    data: schema,
    meta: z
      .object({ warnings: z.array(warningShape) })
      .optional()
      .meta({ description: 'Warnings about the result.' }),
  });

/** Rule http/envelopes. `pages` is 0 for an empty list. */
export const PageMeta = z
  .object({ total: z.int(), page: z.int(), limit: z.int(), pages: z.int() })
  .meta({ id: 'PageMeta', description: 'Pagination of a list.' });
export type PageMeta = z.infer<typeof PageMeta>;

/** Pagination of a list that also has pages by cursor (rule lists/cursors). */
export const ListMeta = PageMeta.extend({
  nextCursor: z.string().nullable().optional().meta({
    description:
      'Cursor of the next page, null on the last one. Only for requests with `cursor`: their `total` is that of the first page.',
    example:
      'WzEsIkZQaTlWa2xRa0p1cTZ6MlAiLDQwLDI1LFsiMTc2NzI1NjIwMDAwMDAwMCIsIjAxOWEzYjVlLTdjMWEtN2YwMC04MDAwLTNmMWQyYzRiNWE2OSJdXQ',
  }),
}).meta({ id: 'ListMeta', description: 'Pagination of a list by page or cursor.' });
export type ListMeta = z.infer<typeof ListMeta>;

export const listOf = <S extends z.ZodType>(schema: S) =>
  z.object({ data: z.array(schema).meta({ description: 'Items of the page.' }), meta: PageMeta });

export const pagedListOf = <S extends z.ZodType>(schema: S) =>
  z.object({ data: z.array(schema).meta({ description: 'Items of the page.' }), meta: ListMeta });

/** A list with cursor pagination only (rule lists/cursors). */
export const cursorListOf = <S extends z.ZodType>(schema: S) =>
  z.object({
    data: z.array(schema).meta({ description: 'Items of the page.' }),
    meta: z
      .object({ limit: z.int(), nextCursor: z.string().nullable() })
      .meta({ description: 'Cursor pagination; `nextCursor` is null on the last page.' }),
  });

/** Result of a DELETE (rule http/envelopes). */
export const Deleted = z
  .object({ id: z.string(), deleted: z.literal(true).meta({ description: 'Always true.' }) })
  .meta({ id: 'Deleted', description: 'The deleted item.' });
export type Deleted = z.infer<typeof Deleted>;

/** One page of a list; `total` counts the whole list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export function listEnvelope<T>(
  page: Page<T>,
  paging: { page: number; limit: number },
): { data: T[]; meta: PageMeta } {
  const { page: number, limit } = paging;
  return {
    data: [...page.items],
    meta: { total: page.total, page: number, limit, pages: Math.ceil(page.total / limit) },
  };
}
