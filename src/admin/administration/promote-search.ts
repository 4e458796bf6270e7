import { textValue } from '../ui/search-values.js';

/** Which environments are compared, which is in the address. */
export interface PromoteSearch {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly page?: number | undefined;
}

export const readPromoteSearch = ({ source, target, page }: Record<string, unknown>): PromoteSearch => ({
  source: textValue(source),
  target: textValue(target),
  page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
});
