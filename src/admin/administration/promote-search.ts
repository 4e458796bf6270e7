/** Which environments are compared, which is in the address. */
export interface PromoteSearch {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly page?: number | undefined;
}

const slug = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const readPromoteSearch = ({ source, target, page }: Record<string, unknown>): PromoteSearch => ({
  source: slug(source),
  target: slug(target),
  page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
});
