import type { Page } from '../../../contracts/envelopes.js';
import type { ReadPool } from '../../persistence/read-pool.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';

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

/** Statements of a list differ in their text only where the planner needs to know: site, chain, order. */
function listStatement({ siteId, locales, orderBy }: DocumentQuery) {
  const hasChain = locales.length > 1;
  const column = orderBy.startsWith('createdAt') ? 'created_at' : 'published_at';
  const direction = orderBy.endsWith('asc') ? 'ASC' : 'DESC';
  const scope = `p.environment_id = $1 AND p.content_type_id = $2
    AND ${hasChain ? 'p.locale = ANY($3::text[])' : 'p.locale = ($3::text[])[1]'}
    ${siteId === null ? '' : 'AND p.site_id = $4'}
    ${
      hasChain
        ? `AND NOT EXISTS (SELECT FROM published_entries better WHERE better.environment_id = $1
      AND better.entry_id = p.entry_id AND better.locale = ANY($3::text[])
      AND array_position($3::text[], better.locale) < array_position($3::text[], p.locale))`
        : ''
    }`;
  const suffix = `${siteId === null ? 'all' : 'site'}_${hasChain ? 'chain' : 'one'}`;
  const paging = siteId === null ? ['$4', '$5'] : ['$5', '$6'];
  return {
    page: {
      name: `published_list_${suffix}_${column}_${direction.toLowerCase()}`,
      text: `SELECT ${columns} FROM published_entries p WHERE ${scope}
        ORDER BY p.${column} ${direction}, p.entry_id ${direction} LIMIT ${paging[0]} OFFSET ${paging[1]}`,
    },
    total: hasChain
      ? {
          name: `published_total_${suffix}`,
          text: `SELECT count(*)::int AS total FROM published_entries p WHERE ${scope}`,
        }
      : {
          name: `published_total_${suffix}`,
          text: `SELECT coalesce(sum(p.entries), 0)::int AS total FROM published_counts p WHERE ${scope}`,
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
    const { page, total } = listStatement(query);
    const scope = [
      this.environmentId,
      query.contentTypeId,
      query.locales,
      ...(query.siteId === null ? [] : [query.siteId]),
    ];
    const [items, [count]] = await Promise.all([
      this.pool.run<StoredDocument>(page, [...scope, query.limit, query.offset]),
      this.pool.run<{ total: number }>(total, scope),
    ]);
    return { items, total: count?.total ?? 0 };
  }
}
