import { limits } from '../../../../../contracts/limits.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import {
  positionSql,
  walkedPage,
  type ListedPage,
  type ListWindow,
  type Position,
} from '../../../shared/cursor/list-page.js';
import type { Bind } from '../../../shared/readable-entries.js';
import { assetColumns, overlaysSql, usesSql } from '../asset.repository.js';
import type { AssetDetails } from '../asset.presenter.js';
import type { StoredAsset } from '../stored-asset.js';
import { filterTerms, type AssetFilter } from './asset-filter-sql.js';
import {
  keysetOf,
  NAME_ORDER,
  pageSql,
  type AssetListing,
  type AssetOrder,
  type Window,
  searchSql,
  walkSql,
  totalSql,
} from './asset-order-sql.js';

export interface AssetPage extends ListWindow {
  readonly orderBy: string;
  /** Chain of the locale that is shown. */
  readonly locales: readonly string[];
}

type AssetWindow = Window & Pick<AssetPage, 'locales'>;

type PlacedRow = AssetRow & { readonly position: Position };

/** Rows of a page and the next one, with the number of matches where it was counted along. */
interface Found {
  readonly rows: readonly PlacedRow[];
  readonly total: number | undefined;
}

type AssetRow = StoredAsset & Pick<AssetDetails, 'overlays' | 'usageCount'>;

const orderColumns: Readonly<Record<string, AssetOrder['column']>> = {
  createdAt: 'a.created_at',
  updatedAt: 'a.updated_at',
  name: NAME_ORDER,
};

function orderOf(orderBy: string): AssetOrder {
  const [key = '', direction] = orderBy.split(':');
  return {
    column: orderColumns[key] ?? 'a.updated_at',
    direction: direction === 'asc' ? 'ASC' : 'DESC',
  };
}

/** Rows of a list that are compared with a string before its matches are looked up and sorted. */
const COMPARED = 2000;

const detailsOf = ({ overlays, usageCount, ...asset }: AssetRow): AssetDetails => ({
  asset,
  overlays,
  usageCount,
});

const details = (locales: string): string =>
  `${overlaysSql(locales)} AS overlays, ${usesSql(limits.mediaUsesCounted)} AS "usageCount"`;

/** Reads assets with what is shown beside their columns. */
export class AssetListRepository extends Repository {
  async details(
    id: string,
    locales: readonly string[],
  ): Promise<Pick<AssetDetails, 'overlays' | 'usageCount'>> {
    const [row] = await this.query<Pick<AssetDetails, 'overlays' | 'usageCount'>>(
      `SELECT ${details('$3')} FROM media_assets a WHERE a.environment_id = $1 AND a.id = $2`,
      [this.environmentId, id, locales],
    );
    return row ?? { overlays: null, usageCount: 0 };
  }

  async list(filter: AssetFilter, page: AssetPage): Promise<ListedPage<AssetDetails>> {
    const terms = filterTerms(filter, this.bound.scope);
    const listing = { filter, terms, order: orderOf(page.orderBy) };
    const { walk, limit, offset, locales } = page;
    const rows = walk === undefined ? limit : limit + 1;
    const window = { limit: rows, offset, after: walk?.after ?? null, locales };
    const [found, total] =
      filter.contains === null
        ? await Promise.all([
            this.#page(listing, window, (value) => pageSql(listing, window, value)),
            walk?.total ?? this.#total(listing),
          ])
        : await this.#search(listing, window, walk?.total);
    const { items, next } = walkedPage(found.rows, limit);
    return { items: items.map(detailsOf), total, next };
  }

  /** Sorts the matches if they are few; else the newest rows often have a page of them. */
  async #search(
    listing: AssetListing,
    window: AssetWindow,
    known: number | null | undefined,
  ): Promise<[found: Found, total: number]> {
    const most = limits.mediaMatchesCounted;
    const found = await this.#page(listing, window, (value) =>
      searchSql(listing, { ...window, most }, value),
    );
    const matches = found.total ?? (window.offset === 0 ? 0 : await this.#total(listing));
    const total = known ?? matches;
    if (matches < most) return [found, total];
    const walked = await this.#page(listing, window, (value) =>
      walkSql(listing, { ...window, compared: COMPARED }, value),
    );
    if (walked.rows.length === window.limit) return [walked, total];
    const all = await this.#page(listing, window, (value) =>
      searchSql(listing, { ...window, most: null }, value),
    );
    return [all, total];
  }

  async #total({ filter, terms }: AssetListing): Promise<number> {
    const { bind, value } = this.#values();
    const [count] = await this.query<{ total: number }>(totalSql(filter, terms, value), bind);
    return count?.total ?? 0;
  }

  /** Ids first: a deep page must not compute what it skips. @param page SQL of ids and total */
  async #page(
    { order }: AssetListing,
    { locales }: AssetWindow,
    page: (value: Bind) => string,
  ): Promise<Found> {
    const { column, direction } = order;
    const { bind, value } = this.#values();
    const rows = await this.query<PlacedRow & { total: number }>(
      `WITH page AS MATERIALIZED (${page(value)})
       SELECT ${assetColumns}, ${details(value(locales))}, ${positionSql(keysetOf(order))}, page.total
       FROM page JOIN media_assets a ON a.environment_id = $1 AND a.id = page.id ORDER BY ${column} ${direction}, a.id ${direction}`,
      bind,
    );
    return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total };
  }

  #values(): { bind: unknown[]; value: Bind } {
    const bind: unknown[] = [this.environmentId];
    return { bind, value: (given) => `$${String(bind.push(given))}` };
  }
}
