import type { Page } from '../../../contracts/envelopes.js';
import type { ReadPool } from '../../persistence/read-pool.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';
import { filterSql } from './filter-sql.js';

const columns = `p.entry_id AS id, p.content_type_id AS "contentTypeId", p.site_id AS "siteId", p.slug, p.locale, p.fields,
  p.published_at AS "publishedAt", p.published_at AS "updatedAt", p.created_at AS "createdAt"`;

const byIds = {
  name: 'published_by_ids',
  text: `SELECT DISTINCT ON (p.entry_id) ${columns} FROM published_entries p
    WHERE p.environment_id = $1 AND p.entry_id = ANY($2::uuid[]) AND p.locale = ANY($3::text[])
    ORDER BY p.entry_id, array_position($3::text[], p.locale)`,
};

const bySlug = {
  name: 'published_by_slug',
  text: `SELECT ${columns} FROM published_entries p
    WHERE p.environment_id = $1 AND p.locale = ANY($2::text[]) AND p.slug = $3 AND p.site_id = $4
      AND NOT EXISTS (SELECT FROM published_entries better WHERE better.environment_id = $1 AND better.entry_id = p.entry_id
        AND better.locale = ANY($2::text[]) AND array_position($2::text[], better.locale) < array_position($2::text[], p.locale))
    ORDER BY p.first_published_at, p.entry_id LIMIT 1`,
};

/** The list that a query scopes: locale or chain of locales, and site. Four values are bound, `$4` null for every site. */
function scopeSql({ siteId, locales }: DocumentQuery): string {
  const site = siteId === null ? 'AND $4::uuid IS NULL' : 'AND p.site_id = $4';
  const own = `p.environment_id = $1 AND p.content_type_id = $2 ${site}`;
  if (locales.length === 1) return `${own} AND p.locale = ($3::text[])[1]`;
  return `${own} AND p.locale = ANY($3::text[])
    AND NOT EXISTS (SELECT FROM published_entries better WHERE better.environment_id = $1
      AND better.entry_id = p.entry_id AND better.locale = ANY($3::text[])
      AND array_position($3::text[], better.locale) < array_position($3::text[], p.locale))`;
}

/**
 * The statements of a list. They differ in their text only where the planner needs to know: site,
 * chain, order. A filtered list counts its rows; any other along one locale reads the counters.
 */
function listStatements(query: DocumentQuery, filter: string, next: number) {
  const { siteId, locales, orderBy } = query;
  const column = orderBy.startsWith('createdAt') ? 'created_at' : 'published_at';
  const direction = orderBy.endsWith('asc') ? 'ASC' : 'DESC';
  const scope = scopeSql(query) + filter;
  const isCounted = locales.length === 1 && filter === '';
  const shape = `${siteId === null ? 'all' : 'site'}_${locales.length === 1 ? 'one' : 'chain'}`;
  const named = (name: string) => (filter === '' ? { name } : {});
  return {
    page: {
      ...named(`published_list_${shape}_${column}_${direction.toLowerCase()}`),
      text: `SELECT ${columns} FROM published_entries p WHERE ${scope}
        ORDER BY p.${column} ${direction}, p.entry_id ${direction} LIMIT $${String(next)} OFFSET $${String(next + 1)}`,
    },
    total: {
      ...named(`published_total_${shape}`),
      text: isCounted
        ? `SELECT coalesce(sum(p.entries), 0)::int AS total FROM published_counts p WHERE ${scope}`
        : `SELECT count(*)::int AS total FROM published_entries p WHERE ${scope}`,
    },
  };
}

/** Published documents of one environment, from the read model by prepared statements. */
export class PublishedDocuments implements DocumentSource {
  readonly isPreview = false;

  constructor(
    private readonly pool: ReadPool,
    private readonly environmentId: string,
  ) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    if (ids.length === 0) return [];
    return this.pool.run<StoredDocument>(byIds, [this.environmentId, ids, locales]);
  }

  async bySlug({ slug, siteId, locales }: SlugQuery): Promise<StoredDocument | undefined> {
    const [document] = await this.pool.run<StoredDocument>(bySlug, [
      this.environmentId,
      locales,
      slug,
      siteId,
    ]);
    return document;
  }

  async list(query: DocumentQuery): Promise<Page<StoredDocument>> {
    const bind: unknown[] = [this.environmentId, query.contentTypeId, query.locales, query.siteId];
    const filter = filterSql(query.conditions ?? [], 'p.fields', bind);
    const { page, total } = listStatements(query, filter, bind.length + 1);
    const [items, [count]] = await Promise.all([
      this.pool.run<StoredDocument>(page, [...bind, query.limit, query.offset]),
      this.pool.run<{ total: number }>(total, bind),
    ]);
    return { items, total: count?.total ?? 0 };
  }
}
