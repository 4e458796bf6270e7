import type { StatementReader } from '../../../persistence/connections/read-pool.js';
import { type TreeQuery, type TreeRow, type TreeSource, treeStatements } from './tree-source.js';
import type {
  ListedFallbacks,
  ListedPlace,
  ListedQuery,
  ListedRoute,
  SitemapSource,
} from './route-source.js';

/** Trees of one environment, by prepared statements. */
export class TreeReader implements TreeSource {
  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
  ) {}

  tree(query: TreeQuery, isPreview: boolean): Promise<TreeRow[]> {
    const { siteId, locales, start, levels, isMenu, limit, titles } = query;
    const values = [this.environmentId, siteId, locales, levels, isMenu, limit, start.value];
    return isPreview
      ? this.pool.run<TreeRow>(treeStatements.draft[start.at], values)
      : this.pool.run<TreeRow>(treeStatements.live[start.at], [...values, JSON.stringify(titles)]);
  }
}

/** A statement for published pages, or with those that a locale shows by fallback. */
interface SitemapStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Row `r` shows a listed page by fallback at a path that no other page has.
 * @param chains parameter with fallback chains by locale
 */
const isFallback = (chains: string): string => `(r.served_rank > 1
  AND EXISTS (SELECT FROM routes l WHERE l.environment_id = r.environment_id AND l.entry_id = r.entry_id AND l.is_listed
    AND l.locale = ${chains}::jsonb -> r.locale ->> (r.served_rank - 1))
  AND NOT EXISTS (SELECT FROM routes o WHERE o.environment_id = r.environment_id AND o.site_id = r.site_id
    AND o.locale = r.locale AND o.served_path = r.served_path AND (o.served_rank, o.entry_id) < (r.served_rank, r.entry_id)))`;
/** The condition on `r`, and the column of its path. Each form has its index. */
const listedRoutes = {
  own: () => ({ path: 'path', where: 'is_listed' }),
  all: (chains: string) => ({
    path: 'served_path',
    where: `served_path IS NOT NULL AND (is_listed OR ${isFallback(chains)})`,
  }),
};
type Listed = keyof typeof listedRoutes;

const counts = (which: Listed): SitemapStatement => ({
  name: `sitemap_counts_${which}`,
  text: `SELECT locale, count(*)::int AS total FROM routes r
    WHERE environment_id = $1 AND site_id = $2 AND ${listedRoutes[which]('$3').where} GROUP BY locale`,
});
/** Walked to in the index, from whichever end is nearer. */
const place = (way: 'ahead' | 'back', which: Listed): SitemapStatement => {
  const { path, where } = listedRoutes[which]('$5');
  return {
    name: `sitemap_place_${way}_${which}`,
    text: `SELECT ${path} AS path FROM routes r WHERE environment_id = $1 AND site_id = $2 AND locale = $3 AND ${where}
      ORDER BY ${path} ${way === 'back' ? 'DESC' : ''} OFFSET $4 LIMIT 1`,
  };
};
/** One row at a time by its key, whatever the planner believes of the table's size. */
const page = (which: Listed): SitemapStatement => {
  const { path, where } = listedRoutes[which]('$6');
  const shown =
    which === 'all' ? 'coalesce($6::jsonb -> r.locale ->> (r.served_rank - 1), r.locale)' : 'r.locale';
  return {
    name: `sitemap_page_${which}`,
    text: `SELECT r.path, r.entry_id AS "entryId", p.content_type_id AS "contentTypeId", p.published_at AS "publishedAt",
      (SELECT jsonb_object_agg(a.locale, a.path) FROM routes a
        WHERE a.environment_id = r.environment_id AND a.entry_id = r.entry_id AND a.is_listed) AS paths
    FROM (SELECT environment_id, site_id, locale, ${path} AS path, served_rank, entry_id FROM routes r
        WHERE environment_id = $1 AND site_id = $2 AND locale = $3 AND ${where} AND ${path} > $4
        ORDER BY ${path} LIMIT $5) r
      CROSS JOIN LATERAL (SELECT content_type_id, published_at FROM published_entries d
        WHERE d.environment_id = r.environment_id AND d.entry_id = r.entry_id AND (d.locale = ${shown} OR d.all_locales) LIMIT 1) p
    ORDER BY r.path`,
  };
};
const statementsOf = (which: Listed) => ({
  counts: counts(which),
  ahead: place('ahead', which),
  back: place('back', which),
  page: page(which),
});
const statements = { own: statementsOf('own'), all: statementsOf('all') };
const statementsFor = (fallbacks: ListedFallbacks) => statements[fallbacks === undefined ? 'own' : 'all'];
const chainsIn = (fallbacks: ListedFallbacks): string[] =>
  fallbacks === undefined ? [] : [JSON.stringify(fallbacks)];

/** Listed routes of one environment, from the read model by prepared statements. */
export class SitemapReader implements SitemapSource {
  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
  ) {}

  async countListed(siteId: string, fallbacks?: ListedFallbacks): Promise<ReadonlyMap<string, number>> {
    const values = [this.environmentId, siteId, ...chainsIn(fallbacks)];
    const { counts } = statementsFor(fallbacks);
    const rows = await this.pool.run<{ locale: string; total: number }>(counts, values);
    return new Map(rows.map(({ locale, total }) => [locale, total]));
  }

  async pathBefore({ siteId, locale, skip, total, fallbacks }: ListedPlace): Promise<string | undefined> {
    const isNear = skip <= total / 2;
    const offset = isNear ? skip - 1 : total - skip;
    const values = [this.environmentId, siteId, locale, offset, ...chainsIn(fallbacks)];
    const { ahead, back } = statementsFor(fallbacks);
    const [row] = await this.pool.run<{ path: string }>(isNear ? ahead : back, values);
    return row?.path;
  }

  listed({ siteId, locale, after, limit, fallbacks }: ListedQuery): Promise<ListedRoute[]> {
    const values = [this.environmentId, siteId, locale, after, limit, ...chainsIn(fallbacks)];
    return this.pool.run<ListedRoute>(statementsFor(fallbacks).page, values);
  }
}
