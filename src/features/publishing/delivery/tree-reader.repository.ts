import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { type TreeQuery, type TreeRow, type TreeSource, treeStatements } from './tree-source.js';
import type { ListedPlace, ListedQuery, ListedRoute, SitemapSource } from './route-source.js';

/** Trees of one environment, by prepared statements. */
export class TreeReader implements TreeSource {
  constructor(
    private readonly pool: ReadPool,
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

const counts = {
  name: 'sitemap_counts',
  text: `SELECT locale, count(*)::int AS total FROM routes
    WHERE environment_id = $1 AND site_id = $2 AND is_listed GROUP BY locale`,
};
/** Walked to in the index alone, from whichever end is nearer. */
const place = (way: 'ahead' | 'back') => ({
  name: `sitemap_place_${way}`,
  text: `SELECT path FROM routes WHERE environment_id = $1 AND site_id = $2 AND locale = $3 AND is_listed
    ORDER BY path ${way === 'back' ? 'DESC' : ''} OFFSET $4 LIMIT 1`,
});
const places = { ahead: place('ahead'), back: place('back') };
/** One row at a time by its key, whatever the planner believes of the table's size. */
const page = {
  name: 'sitemap_page',
  text: `SELECT r.path, r.entry_id AS "entryId", p.content_type_id AS "contentTypeId", p.published_at AS "publishedAt",
      (SELECT jsonb_object_agg(a.locale, a.path) FROM routes a
        WHERE a.environment_id = r.environment_id AND a.entry_id = r.entry_id AND a.is_listed) AS paths
    FROM (SELECT environment_id, site_id, locale, path, entry_id FROM routes
        WHERE environment_id = $1 AND site_id = $2 AND locale = $3 AND is_listed AND path > $4
        ORDER BY path LIMIT $5) r
      CROSS JOIN LATERAL (SELECT content_type_id, published_at FROM published_entries d
        WHERE d.environment_id = r.environment_id AND d.entry_id = r.entry_id AND (d.locale = r.locale OR d.all_locales) LIMIT 1) p
    ORDER BY r.path`,
};

/** Live routes of one environment, from the read model by prepared statements. */
export class SitemapReader implements SitemapSource {
  constructor(
    private readonly pool: ReadPool,
    private readonly environmentId: string,
  ) {}

  async countListed(siteId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.pool.run<{ locale: string; total: number }>(counts, [this.environmentId, siteId]);
    return new Map(rows.map(({ locale, total }) => [locale, total]));
  }

  async pathBefore({ siteId, locale, skip, total }: ListedPlace): Promise<string | undefined> {
    const isNear = skip <= total / 2;
    const offset = isNear ? skip - 1 : total - skip;
    const bind = [this.environmentId, siteId, locale, offset];
    const [row] = await this.pool.run<{ path: string }>(isNear ? places.ahead : places.back, bind);
    return row?.path;
  }

  listed({ siteId, locale, after, limit }: ListedQuery): Promise<ListedRoute[]> {
    return this.pool.run<ListedRoute>(page, [this.environmentId, siteId, locale, after, limit]);
  }
}
