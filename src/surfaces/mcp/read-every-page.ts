import type { Page } from '../../../contracts/envelopes.js';
import { limits } from '../../../contracts/limits.js';

interface Output {
  readonly data: readonly unknown[];
  readonly meta?: { readonly pages?: number; readonly total?: number };
}

/**
 * Every item of a paginated read, up to a maximum. Pages are read in order of creation, so that no item is skipped.
 * `total` counts the items beyond the maximum as well.
 */
export async function readEveryPage(
  readPage: (paging: object) => Promise<unknown>,
  maximum = Infinity,
): Promise<Page<unknown>> {
  const items: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const paging = { page, limit: limits.pageLimitMaximum, orderBy: 'createdAt:asc' };
    const { data, meta = {} } = (await readPage(paging)) as Output;
    items.push(...data);
    if (page >= (meta.pages ?? 1) || items.length >= maximum)
      return { items: items.slice(0, maximum), total: meta.total ?? items.length };
  }
}
