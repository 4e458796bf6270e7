import { limits } from '../../../../contracts/limits.js';
import { composeValues } from '../../../content/blocks/stored-values.js';
import { noSearchSettings } from '../../../content/search/boosts.js';
import { anyOf } from '../../../content/search/search-query.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { type Bind, readableEntries } from '../../shared/readable-entries.js';
import { placeMark } from './document-rows.js';
import { facetColumnsSql, facetSql, frequenciesSql, matchSql } from './facet-sql.js';
import type { PlannedQuery } from './query-plan.js';
import type { Demand, FacetCount, HitKey, SearchFound, SearchHit, SearchQuery } from './search-index.js';
import { conditionsSql, sortSql, stageSql } from './stage-sql.js';
import type { EntryStatus } from '../../../../contracts/entries/entries/entry.js';

/**
 * More documents than this are counted on without a limit. The database expects thousands of every unfinished word, and
 * reads all entries rather than these.
 */
const FEW = 1000;
const MOST = limits.searchMatches;

/** `some`: {@link MOST} results at most. `hits`: the documents of the index, too. */
type Counted = 'hits' | 'some' | 'all';

interface FoundRow {
  /** Documents of the index if they are counted. */
  readonly found: number;
  /** Documents that pass. */
  readonly passed: number;
  readonly total: number;
  readonly hits: SearchHit[];
  readonly facets: FacetCount[][];
}

/** How much more or less entries count for their content type; empty if all count the same. */
function typeFactor({ settings }: SearchQuery, contentType: string, value: Bind): string {
  const boosts = Object.entries(settings.typeBoosts);
  if (boosts.length === 0) return '';
  const cases = boosts.map(([id, boost]) => `WHEN ${value(id)}::uuid THEN ${value(boost)}::float8`);
  return ` * CASE ${contentType} ${cases.join(' ')} ELSE 1 END`;
}

/** Lexemes of the place of a search, of which documents have one. */
export function marksOf(
  environmentId: string,
  { stage, locales, forAll }: Pick<SearchQuery, 'stage' | 'locales' | 'forAll'>,
): string[] {
  if (locales === null || forAll.length > 0) return [placeMark(environmentId, stage)];
  return locales.map((locale) => placeMark(environmentId, stage, locale));
}

interface PageSql {
  /** Common tables that follow `found`. */
  readonly shown: string;
  /** Of a result, as an argument of its object. */
  readonly locales: string;
  readonly from: string;
}

const rowsSql = (page: string): PageSql => ({
  shown: '',
  locales: '',
  from: `(SELECT * FROM found ${page}) AS page`,
});

/** Of each entry the first locale in the order of the results. */
const groupsSql = (order: string, page: string): PageSql => ({
  shown: `, shown AS MATERIALIZED (SELECT DISTINCT ON (id) * FROM found ORDER BY id, ${order}),
    page AS MATERIALIZED (SELECT * FROM shown ${page}),
    grouped AS (SELECT id, jsonb_agg(locale ORDER BY locale COLLATE "C") AS locales FROM found WHERE id IN (SELECT id FROM page) GROUP BY id)`,
  locales: ", 'locales', locales",
  from: 'page JOIN grouped USING (id)',
});

/** The index finds documents, and the content that they belong to passes the wall, rights and filters. */
export class SearchRepository extends Repository {
  /** @param plan null lists by filters only */
  async find(query: SearchQuery, plan: PlannedQuery | null, demand: Demand): Promise<SearchFound> {
    if (plan === null) return this.#page(query, { hits: '', counted: 'all' }, [this.environmentId]);
    const rarity = demand === 'any' ? await this.#rarity(query, plan) : [];
    const page = (hits: string, counted: Counted): Promise<FoundRow> => {
      const bind: unknown[] = [this.environmentId];
      const value: Bind = (given) => `$${String(bind.push(given))}`;
      const matches = this.#matches({ query, plan, demand, rarity }, value);
      return this.#page(query, { hits: `${matches}${hits}, `, counted }, bind);
    };
    const first = (limit: number): Promise<FoundRow> =>
      page(`hits AS MATERIALIZED (SELECT * FROM matches LIMIT ${String(limit)})`, 'hits');
    const all = (counted: Counted): Promise<FoundRow> =>
      page('hits AS NOT MATERIALIZED (SELECT * FROM matches)', counted);
    const few = await first(FEW + 1);
    if (few.found <= FEW) return few;
    if (query.sort !== null) return all('all');
    const many = await first(MOST);
    // Where filters leave few of very many, all are read until enough have passed.
    return many.found < MOST || many.passed > MOST / 2 ? many : all('some');
  }

  /** How many results a query has, up to {@link MOST}. */
  async count(query: SearchQuery, plan: PlannedQuery): Promise<number> {
    const bind: unknown[] = [this.environmentId];
    const value: Bind = (given) => `$${String(bind.push(given))}`;
    const matches = this.#matches({ query, plan, demand: 'all', rarity: [], isScored: false }, value);
    const hits = `${matches}hits AS MATERIALIZED (SELECT * FROM matches LIMIT ${String(MOST)}), `;
    const counted = { ...query, sort: null, facets: [], limit: 0, offset: 0 };
    return (await this.#page(counted, { hits, counted: 'some' }, bind)).total;
  }

  /** Of these documents, those that pass. */
  async among(query: SearchQuery, hits: readonly SearchHit[]): Promise<SearchFound> {
    const bind = [
      this.environmentId,
      hits.map(({ entryId }) => entryId),
      hits.map(({ locale }) => locale),
      hits.map(({ score }) => score),
    ];
    const given =
      'hits AS MATERIALIZED (SELECT * FROM unnest($2::uuid[], $3::text[], $4::float8[]) AS h (entry_id, locale, score)), ';
    const unboosted = { ...query, settings: noSearchSettings };
    return this.#page(unboosted, { hits: given, counted: 'all' }, bind);
  }

  /** @param hits SQL of the documents found, with their scores; empty for all */
  async #page(
    query: SearchQuery,
    { hits, counted }: { readonly hits: string; readonly counted: Counted },
    bind: unknown[],
  ): Promise<FoundRow> {
    const value: Bind = (given) => `$${String(bind.push(given))}`;
    const { sort, limit, offset } = query;
    const stage = stageSql(query.stage);
    const sorted = sort === null ? '' : `, ${sortSql(sort, stage, value)} AS sorted`;
    const facetColumns = facetColumnsSql(query.facets, stage.fields, value);
    const found = `SELECT ${stage.columns}, ${hits === '' ? '0::float8' : `h.score${typeFactor(query, stage.contentType, value)}`} AS score${sorted}${facetColumns}
      FROM ${hits === '' ? stage.all : counted === 'hits' ? stage.ofFewHits : stage.ofHits}
      WHERE ${stage.where}${conditionsSql(this.bound.scope, query, bind)}${counted === 'some' ? ` LIMIT ${String(MOST)}` : ''}`;
    const first = sort === null ? 'score DESC' : `sorted ${sort.isAscending ? 'ASC' : 'DESC'} NULLS LAST`;
    const order = `${first}, updated_at DESC, id, locale`;
    const facets = query.facets.map((facet, place) => facetSql(facet, place, query.isGrouped));
    const page = `ORDER BY ${order} LIMIT ${value(limit)} OFFSET ${value(offset)}`;
    const { shown, locales, from } = query.isGrouped ? groupsSql(order, page) : rowsSql(page);
    const [row] = await this.query<FoundRow>(
      `WITH ${hits}found AS MATERIALIZED (${found})${shown}
       SELECT ${counted === 'hits' ? '(SELECT count(*)::int FROM hits)' : '0'} AS found, (SELECT count(*)::int FROM found) AS passed,
         (SELECT count(*)::int FROM ${query.isGrouped ? 'shown' : 'found'}) AS total,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('entryId', id, 'locale', locale, 'score', score${locales}) ORDER BY ${order}), '[]')
            FROM ${from}) AS hits,
         jsonb_build_array(${facets.join(', ')}) AS facets`,
      bind,
    );
    return row ?? { found: 0, passed: 0, total: 0, hits: [], facets: [] };
  }

  #matches(
    {
      query,
      plan,
      demand,
      rarity,
      isScored = true,
    }: {
      query: SearchQuery;
      plan: PlannedQuery;
      demand: Demand;
      rarity: readonly number[];
      isScored?: boolean;
    },
    value: Bind,
  ): string {
    const { condition, score } = matchSql(
      plan,
      { demand, marks: marksOf(this.environmentId, query), rarity, isScored },
      value,
    );
    const sites = query.siteIds === null ? '' : ` AND d.site_id = ANY(${value(query.siteIds)}::uuid[])`;
    return `matches AS MATERIALIZED (SELECT d.entry_id, d.locale, (${score})::float8 AS score FROM search_documents d
      WHERE d.environment_id = $1 AND d.stage = ${value(query.stage)}${sites} AND ${condition}), `;
  }

  /** Of each term: more for a word that few documents have. */
  async #rarity(query: SearchQuery, { terms }: PlannedQuery): Promise<number[]> {
    const bind: unknown[] = [this.environmentId];
    const value: Bind = (given) => `$${String(bind.push(given))}`;
    const counts = frequenciesSql(terms, value);
    const place = marksOf(this.environmentId, query)
      .map((mark) => `'${mark}'`)
      .join(' | ');
    const [row = {}] = await this.query<Record<string, number>>(
      `SELECT count(*)::int AS total, ${counts} FROM search_documents d
       WHERE d.environment_id = $1 AND d.stage = ${value(query.stage)}
         AND d.vector @@ ${value(`(${place}) & (${anyOf(terms)})`)}::tsquery`,
      bind,
    );
    const total = row.total ?? 0;
    return terms.map((_, index) => Math.log(1 + total / Math.max(1, row[String(index)] ?? 0)));
  }
}

/** A draft that was found, as it is now. */
export interface FoundDraft {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly title: string;
  readonly slug: string;
  readonly status: EntryStatus;
  readonly updatedAt: Date;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What results show of entries. */
export class FoundDraftRepository extends Repository {
  /**
   * In the order of the hits. An index may be late: what was deleted or may not be read any more is left out.
   * @param withFields whether values are needed
   */
  async of(hits: readonly HitKey[], withFields: boolean): Promise<FoundDraft[]> {
    const fields = withFields
      ? 'e.shared_fields AS shared, l.fields'
      : `'{}'::jsonb AS shared, '{}'::jsonb AS fields`;
    const bound: unknown[] = [
      this.environmentId,
      hits.map(({ entryId }) => entryId),
      hits.map(({ locale }) => locale),
    ];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bound.push(value))}`);
    const rows = await this.query<FoundDraft & { readonly shared: FoundDraft['fields'] }>(
      `SELECT e.id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId", l.locale, l.title, l.slug, l.status,
         e.updated_at AS "updatedAt", ${fields}
       FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS h (id, locale, place)
         JOIN entries e ON e.environment_id = $1 AND e.id = h.id
         JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = h.id AND l.locale = h.locale
       WHERE e.deleted_at IS NULL AND ${readable ?? 'true'} ORDER BY h.place`,
      bound,
    );
    return rows.map(({ shared, ...row }) => ({ ...row, fields: composeValues(shared, row.fields) }));
  }

  /**
   * By id, of the entries that may be read.
   * @param chain locales, the best first; then follow that of the site and the oldest
   */
  async titles(ids: readonly string[], chain: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const bound: unknown[] = [this.environmentId, ids, chain];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bound.push(value))}`);
    const rows = await this.query<{ id: string; title: string }>(
      `SELECT e.id, shown.title FROM unnest($2::uuid[]) AS w (id)
         JOIN entries e ON e.environment_id = $1 AND e.id = w.id
         JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
         CROSS JOIN LATERAL (SELECT l.title FROM entry_locales l
           WHERE l.environment_id = $1 AND l.entry_id = e.id AND NOT l.is_deleted
           ORDER BY array_position($3::text[], l.locale), l.locale = s.default_locale DESC, l.created_at, l.locale LIMIT 1) AS shown
       WHERE e.deleted_at IS NULL AND ${readable ?? 'true'}`,
      bound,
    );
    return new Map(rows.map(({ id, title }) => [id, title]));
  }
}
