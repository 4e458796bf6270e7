import type { Page } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Bind } from '../../shared/index.js';
import { assetColumns, overlaysSql, usesSql } from '../asset-sql.js';
import type { AssetDetails } from '../asset.presenter.js';
import type { StoredAsset } from '../stored-asset.js';
import { filterTerms, type AssetFilter } from './asset-filter-sql.js';
import { pageSql, type AssetListing, type AssetOrder } from './asset-order-sql.js';
import { searchSql, walkSql } from './asset-search-sql.js';
import { totalSql } from './asset-total-sql.js';

export interface AssetPage {
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
  /** Chain of the locale that is shown. */
  readonly locales: readonly string[];
}

type Row = StoredAsset & Pick<AssetDetails, 'overlays' | 'usageCount'>;

const orderColumns: Readonly<Record<string, AssetOrder['column']>> = {
  createdAt: 'a.created_at',
  updatedAt: 'a.updated_at',
  name: 'a.file_name',
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

const detailsOf = ({ overlays, usageCount, ...asset }: Row): AssetDetails => ({
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

  async list(filter: AssetFilter, page: AssetPage): Promise<Page<AssetDetails>> {
    const terms = filterTerms(filter, this.bound.scope);
    const order = orderOf(page.orderBy);
    const listing = { filter, terms, order };
    if (filter.contains !== null) return this.#search(listing, page);
    const [{ items }, total] = await Promise.all([
      this.#page(listing, page, (value) => pageSql(listing, page, value)),
      this.#total(listing),
    ]);
    return { items, total };
  }

  /** Sorts the matches if they are few; else the newest rows often have a page of them. */
  async #search(listing: AssetListing, page: AssetPage): Promise<Page<AssetDetails>> {
    const most = limits.mediaMatchesCounted;
    const found = await this.#page(listing, page, (value) => searchSql(listing, { ...page, most }, value));
    const total = found.total ?? (page.offset === 0 ? 0 : await this.#total(listing));
    if (total < most) return { items: found.items, total };
    const walked = await this.#page(listing, page, (value) =>
      walkSql(listing, { ...page, compared: COMPARED }, value),
    );
    if (walked.items.length === page.limit) return { items: walked.items, total };
    const { items } = await this.#page(listing, page, (value) =>
      searchSql(listing, { ...page, most: null }, value),
    );
    return { items, total };
  }

  async #total({ filter, terms }: AssetListing): Promise<number> {
    const { bind, value } = this.#values();
    const [count] = await this.query<{ total: number }>(totalSql(filter, terms, value), bind);
    return count?.total ?? 0;
  }

  /** Ids first: a deep page must not compute what it skips. @param page SQL of ids and total */
  async #page(
    { order: { column, direction } }: AssetListing,
    { locales }: AssetPage,
    page: (value: Bind) => string,
  ): Promise<{ items: AssetDetails[]; total: number | undefined }> {
    const { bind, value } = this.#values();
    const rows = await this.query<Row & { total: number }>(
      `WITH page AS MATERIALIZED (${page(value)})
       SELECT ${assetColumns}, ${details(value(locales))}, page.total
       FROM page JOIN media_assets a ON a.environment_id = $1 AND a.id = page.id ORDER BY ${column} ${direction}, a.id ${direction}`,
      bind,
    );
    return { items: rows.map(({ total: _total, ...row }) => detailsOf(row)), total: rows[0]?.total };
  }

  #values(): { bind: unknown[]; value: Bind } {
    const bind: unknown[] = [this.environmentId];
    return { bind, value: (given) => `$${String(bind.push(given))}` };
  }
}
