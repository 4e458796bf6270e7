import type { Page } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import { containing, Repository } from '../../../persistence/repositories/repository.js';
import { assetColumns, overlaysSql, usesSql } from '../asset-sql.js';
import { readableAssets } from '../asset-rights.js';
import type { AssetDetails } from '../asset.presenter.js';
import type { StoredAsset } from '../stored-asset.js';

/** Null filters match all. */
export interface AssetFilter {
  readonly folderId: string | null;
  /** A media type or the beginning of one. */
  readonly mimeType: string | null;
  readonly tags: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  /** A locale. */
  readonly missingAltText: string | null;
  readonly sourceChecksums: readonly string[] | null;
  readonly isUnused: boolean | null;
  readonly contains: string | null;
}

export interface AssetPage {
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
  /** Chain of the locale that is shown. */
  readonly locales: readonly string[];
}

type Row = StoredAsset & Pick<AssetDetails, 'overlays' | 'usageCount'>;

/** Folder id under which `media_counts` keeps the totals of all folders. */
const ALL_FOLDERS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const orderColumns: Readonly<Record<string, string>> = {
  createdAt: 'a.created_at',
  updatedAt: 'a.updated_at',
  name: 'a.file_name',
};

/** Conditions on assets, and on counters if they alone decide the total. */
interface Conditions {
  readonly assets: string;
  /** Null: rows are counted. */
  readonly counts: string | null;
}

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

  async list(
    filter: AssetFilter,
    { orderBy, limit, offset, locales }: AssetPage,
  ): Promise<Page<AssetDetails>> {
    const bind: unknown[] = [this.environmentId];
    const conditions = this.#conditions(filter, (value) => `$${String(bind.push(value))}`);
    const [key = '', direction] = orderBy.split(':');
    const order = direction === 'asc' ? 'ASC' : 'DESC';
    const column = orderColumns[key] ?? 'a.updated_at';
    const next = bind.length + 1;
    // Ids first: a deep page must not compute what it skips.
    const rows = this.query<Row>(
      `WITH page AS MATERIALIZED (SELECT a.id FROM media_assets a WHERE ${conditions.assets}
         ORDER BY ${column} ${order}, a.id ${order} LIMIT $${String(next)} OFFSET $${String(next + 1)})
       SELECT ${assetColumns}, ${details(`$${String(next + 2)}`)}
       FROM page JOIN media_assets a ON a.environment_id = $1 AND a.id = page.id ORDER BY ${column} ${order}, a.id ${order}`,
      [...bind, limit, offset, locales],
    );
    const counted = this.query<{ total: number }>(
      conditions.counts === null
        ? `SELECT count(*)::int AS total FROM media_assets a WHERE ${conditions.assets}`
        : `SELECT coalesce(sum(c.assets), 0)::int AS total FROM media_counts c WHERE ${conditions.counts}`,
      bind,
    );
    const [items, [count]] = await Promise.all([rows, counted]);
    return { items: items.map(detailsOf), total: count?.total ?? 0 };
  }

  /** Counters know folder, type and use; every other condition needs the rows. */
  #conditions(filter: AssetFilter, value: (given: unknown) => string): Conditions {
    const shared: ((alias: string) => string)[] = [(alias) => `${alias}.environment_id = $1`];
    const isInFolder = filter.folderId !== null;
    if (isInFolder) {
      const id = value(filter.folderId);
      shared.push((alias) => `${alias}.folder_id = ${id}::uuid`);
    }
    const ofAll = isInFolder ? [] : [`c.folder_id = '${ALL_FOLDERS}'`];
    if (filter.isUnused !== null)
      shared.push((alias) => `${filter.isUnused === true ? 'NOT ' : ''}${alias}.is_used`);
    const types = filter.mimeType === null ? [] : typeConditions(filter.mimeType, value);
    const own = this.#ownConditions(filter, value);
    const common = shared.map((condition) => condition('a'));
    return {
      assets: [...common, ...types.map(({ asset }) => asset), ...own].join(' AND '),
      counts:
        own.length > 0
          ? null
          : [...shared.map((condition) => condition('c')), ...ofAll, ...types.map(({ count }) => count)].join(
              ' AND ',
            ),
    };
  }

  #ownConditions(filter: AssetFilter, value: (given: unknown) => string): string[] {
    const own: string[] = [];
    const readable = readableAssets(this.bound.scope, value);
    if (readable !== null) own.push(readable);
    if (filter.tags !== null)
      own.push(`EXISTS (SELECT FROM media_asset_tags t WHERE t.environment_id = a.environment_id AND t.asset_id = a.id
        AND t.tag = ANY(${value(filter.tags)}::text[]))`);
    if (filter.sourceChecksums !== null)
      own.push(`a.source_checksum = ANY(${value(filter.sourceChecksums)}::text[])`);
    if (filter.siteIds !== null) own.push(`a.site_ids && ${value(filter.siteIds)}::uuid[]`);
    if (filter.missingAltText !== null)
      own.push(`a.mime_family = 'image' AND NOT EXISTS (SELECT FROM media_asset_locales l
        WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.locale = ${value(filter.missingAltText)}
          AND l.alt_text IS NOT NULL)`);
    if (filter.contains !== null) {
      const pattern = value(containing(filter.contains));
      own.push(`(a.file_name ILIKE ${pattern} OR EXISTS (SELECT FROM media_asset_locales l
        WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.title ILIKE ${pattern}))`);
    }
    return own;
  }
}

/** `image/png` is found by type, `image/` by family; other beginnings compare within the family. */
function typeConditions(
  mimeType: string,
  value: (given: unknown) => string,
): { readonly asset: string; readonly count: string }[] {
  const [family = '', rest] = mimeType.toLowerCase().split('/');
  const within = value(family);
  // "0" follows "/", so every type of the family is between "family/" and "family0".
  const inFamily = `c.mime_type >= ${within}::text || '/' AND c.mime_type < ${within}::text || '0'`;
  if (rest === undefined || rest === '') return [{ asset: `a.mime_family = ${within}`, count: inFamily }];
  const from = value(mimeType.toLowerCase());
  const begins = (alias: string): string =>
    `${alias}.mime_type >= ${from} AND starts_with(${alias}.mime_type, ${from})`;
  return [{ asset: `a.mime_family = ${within} AND ${begins('a')}`, count: `${inFamily} AND ${begins('c')}` }];
}
