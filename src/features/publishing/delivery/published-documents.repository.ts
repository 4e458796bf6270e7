import type { Statement, StatementReader } from '../../../persistence/connections/read-pool.js';
import {
  afterSql,
  orderSql,
  positionSql,
  walkedPage,
  type Keyset,
  type ListedPage,
  type Walk,
} from '../../shared/cursor/list-page.js';
import { pageWindow } from '../../shared/lists.js';
import {
  chainPositions,
  type DocumentQuery,
  type DocumentSource,
  type SlugQuery,
  type StoredDocument,
} from './document.js';
import { countedSql, hasOneLocale, requestedIn, scopeSql, shapeOf } from './list-scope.js';
import { candidatesSql, divisionSql, readiness, type Division } from './filter-candidates.js';
import { documentOf, storedSql, type PublishedRow as Row } from './published-document.js';
import { filterSql, liveRow } from './filter-sql.js';
import { ownersOf, withBlocks, type OwnedBlock } from './own-documents.js';

/** @param names number of the parameter with the fields to read, all if null */
const columns = (names: number | null): string =>
  `p.entry_id AS id, p.content_type_id AS "contentTypeId", p.site_id AS "siteId", p.slug, p.locale, ${storedSql(names)},
  p.all_locales AS "allLocales", date_part('epoch', p.published_at) AS "publishedSeconds"`;

/** Documents of every locale are found by an index of their own. `$3` has the locales in which the others are read. */
const forAllByIds = (names: number | null): string => `SELECT ${columns(names)} FROM published_entries p
    WHERE p.environment_id = $1 AND p.entry_id = ANY($2::uuid[]) AND p.all_locales AND p.locale <> ALL($3::text[])`;

const byIdsInOne = (names: number | null): Statement => ({
  name: names === null ? 'published_by_ids_one' : 'published_fields_by_ids_one',
  text: `SELECT ${columns(names)} FROM published_entries p
    WHERE p.environment_id = $1 AND p.entry_id = ANY($2::uuid[]) AND p.locale = ($3::text[])[1]
    UNION ALL ${forAllByIds(names)}`,
});

const byIdsInChain = (names: number | null): Statement => ({
  name: names === null ? 'published_by_ids' : 'published_fields_by_ids',
  text: `(SELECT DISTINCT ON (p.entry_id) ${columns(names)} FROM published_entries p
    WHERE p.environment_id = $1 AND p.entry_id = ANY($2::uuid[]) AND p.locale = ANY($3::text[])
    ORDER BY p.entry_id, array_position($3::text[], p.locale))
    UNION ALL ${forAllByIds(names)}`,
});

const bySlug = (names: number | null): Statement => ({
  name: names === null ? 'published_by_slug' : 'published_fields_by_slug',
  text: `SELECT ${columns(names)} FROM (
      SELECT p.environment_id, p.entry_id, p.locale FROM published_entries p
      WHERE p.environment_id = $1 AND p.locale = ANY($2::text[]) AND p.slug = $3 AND p.site_id = $4
        AND NOT EXISTS (SELECT FROM published_entries better WHERE better.environment_id = $1 AND better.entry_id = p.entry_id
          AND better.locale = ANY($2::text[]) AND array_position($2::text[], better.locale) < array_position($2::text[], p.locale))
      UNION SELECT a.environment_id, a.entry_id, a.locale FROM published_entries a
      WHERE a.environment_id = $1 AND a.slug = $3 AND a.site_id = $4 AND a.all_locales) AS found
      JOIN published_entries p USING (environment_id, entry_id, locale)
    ORDER BY p.first_published_at, p.entry_id LIMIT 1`,
});

const filtered = liveRow('$2::uuid');

/** A page of a list with more matches is found sooner in the order of the list. */
const FEW = 1000;

/** Deeper pages are reached from the nearer end, and only their documents are read. */
const DEEP = 1000;

/** The documents of a list. */
interface ListScope {
  readonly query: DocumentQuery;
  readonly filter: string;
  /** SQL of the keys that an index found; the whole list is read without it. */
  readonly candidates?: string;
}

/** Parts of a list statement: `$next` is the limit, the parameter after it the offset. */
interface ListShape extends ListScope {
  /** Number of the parameter with the fields to read, all if null. */
  readonly names: number | null;
  readonly next: number;
}

/** Only statements without filters are prepared; filters have unlimited variants. */
const named = ({ filter }: ListScope, name: string) => (filter === '' ? { name } : {});

const sortColumn = ({ orderBy }: DocumentQuery) =>
  orderBy.startsWith('createdAt') ? ('created_at' as const) : ('published_at' as const);

const keysetOf = (query: DocumentQuery): Keyset => ({
  keys: [
    { column: `p.${sortColumn(query)}`, type: 'time' },
    { column: 'p.entry_id', type: 'uuid' },
  ],
  isAscending: query.orderBy.endsWith('asc'),
});

const listName = ({ query, names }: ListShape): string =>
  `published_${names === null ? 'list' : 'fields'}_${shapeOf(query)}_${sortColumn(query)}_${query.orderBy.endsWith('asc') ? 'asc' : 'desc'}`;

/** The order of the tables is fixed: one look for each key. */
const sourceSql = ({ candidates }: ListScope): string =>
  candidates === undefined
    ? 'published_entries p'
    : `(${candidates}) AS found CROSS JOIN LATERAL (SELECT * FROM published_entries
        WHERE environment_id = $1 AND entry_id = found.entry_id AND locale = found.locale OFFSET 0) AS p`;

/**
 * The page of a list. The text of statements differs only in what the planner needs: site, chain, order, depth.
 */
function pageStatement(shape: ListShape, way: 'near' | 'deep' | 'reversed'): Statement {
  const { query, filter, next } = shape;
  const keyset = keysetOf(query);
  const from = `FROM ${sourceSql(shape)} WHERE ${scopeSql(query)}${filter}`;
  const slice = `LIMIT $${String(next)} OFFSET $${String(next + 1)}`;
  const walked = orderSql({ ...keyset, isAscending: keyset.isAscending !== (way === 'reversed') });
  const name = listName(shape);
  if (way === 'near')
    return {
      ...named(shape, name),
      text: `SELECT ${columns(shape.names)} ${from} ORDER BY ${walked} ${slice}`,
    };
  return {
    ...named(shape, `${name}_${way}`),
    text: `WITH page AS MATERIALIZED (SELECT p.entry_id, p.locale ${from} ORDER BY ${walked} ${slice})
      SELECT ${columns(shape.names)} FROM page JOIN published_entries p
        ON p.environment_id = $1 AND p.entry_id = page.entry_id AND p.locale = page.locale
      ORDER BY ${orderSql(keyset)}`,
  };
}

/** The page after a position, with the positions of its rows. @param bind values of the list; those of the page are added */
function walkStatement(shape: ListShape, { after }: Walk, bind: unknown[]): Statement {
  const { query, filter } = shape;
  const keyset = keysetOf(query);
  const value = (given: unknown): string => `$${String(bind.push(given))}`;
  const limit = value(query.limit + 1);
  const scope = `${scopeSql(query)}${filter}${afterSql(keyset, after, value)}`;
  return {
    ...named(shape, `${listName(shape)}_${after === null ? 'first' : 'after'}`),
    text: `SELECT ${columns(shape.names)}, ${positionSql(keyset)} FROM ${sourceSql(shape)} WHERE ${scope}
      ORDER BY ${orderSql(keyset)} LIMIT ${limit}`,
  };
}

/** A filtered list counts its rows; others in one locale read the counters. */
function totalStatement(shape: ListScope): Statement {
  const { query, filter } = shape;
  const isCounted = hasOneLocale(query) && filter === '';
  const scope = isCounted ? countedSql(query) : scopeSql(query) + filter;
  return {
    ...named(shape, `published_total_${shapeOf(query)}`),
    text: isCounted
      ? `SELECT coalesce(sum(p.entries), 0)::int AS total FROM published_counts p WHERE ${scope}`
      : `SELECT count(*)::int AS total FROM ${sourceSql(shape)} WHERE ${scope}`,
  };
}

/** The total of a filter of which most matches are known by their keys. A document has one key. */
function dividedTotal(scope: ListScope, { matching, open }: Division): Statement {
  const { query } = scope;
  const looked = totalStatement({ ...scope, candidates: open }).text;
  return {
    text: `SELECT (${looked}) + (SELECT count(*)::int FROM (${matching}) AS k
      JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = k.entry_id AND p.locale = k.locale
      WHERE ${scopeSql(query)} AND NOT EXISTS (SELECT FROM filter_notes n WHERE n.environment_id = $1
        AND n.content_type_id = $2 AND n.entry_id = k.entry_id AND n.locale = k.locale)) AS total`,
  };
}

/** Published documents of one environment, from the read model by prepared statements. */
export class PublishedDocuments implements DocumentSource {
  readonly isPreview = false;

  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
    /** Fields to read; others are missing from large documents. All by default. */
    private readonly names?: readonly string[],
  ) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    if (ids.length === 0 || locales.length === 0) return [];
    const [requested] = locales;
    const byIds = locales.length === 1 ? byIdsInOne : byIdsInChain;
    return withBlocks(ids, {
      byIds: (some) =>
        this.#documents(...this.#reading(byIds, [this.environmentId, some, locales]), () => requested),
      ownersOf: (some) => this.pool.run<OwnedBlock>(ownersOf, [this.environmentId, some]),
    });
  }

  async bySlug({ slug, siteId, locales }: SlugQuery): Promise<StoredDocument | undefined> {
    const given = [this.environmentId, locales, slug, siteId];
    const [document] = await this.#documents(...this.#reading(bySlug, given), () => locales[0]);
    return document;
  }

  async list(query: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    const { conditions = [] } = query;
    const bind: unknown[] = [this.environmentId, query.contentTypeId, query.locales, query.siteId];
    if (query.siteLocales !== undefined) bind.push(chainPositions(query.siteLocales));
    const filter = filterSql(conditions, filtered, bind);
    const whole = { query, filter };
    const bound = [...bind];
    const list = { environmentId: this.environmentId, contentTypeId: query.contentTypeId };
    const candidates = candidatesSql(conditions, list, bound);
    if (candidates === undefined || !(await this.#isIndexed(query))) return this.#page(whole, bind);
    const few = { query, filter, candidates };
    const total = query.walk?.total ?? (await this.#countIndexed(few, bind, bound));
    return total <= FEW ? this.#page(few, bound, total) : this.#page(whole, bind, total);
  }

  async #isIndexed({ contentTypeId }: DocumentQuery): Promise<boolean> {
    const [row] = await this.pool.run<{ isReady: boolean }>(readiness, [this.environmentId, contentTypeId]);
    return row?.isReady === true;
  }

  /** @param known the total, if it is known */
  async #page(
    scope: ListScope,
    bind: readonly unknown[],
    known?: number,
  ): Promise<ListedPage<StoredDocument>> {
    const { query } = scope;
    const names = this.names === undefined ? null : bind.length + 1;
    const values = this.names === undefined ? bind : [...bind, this.names];
    const shape = { ...scope, names, next: values.length + 1 };
    const count = known ?? query.walk?.total ?? this.#count(scope, bind);
    if (query.walk !== undefined) return this.#walk(shape, query.walk, { values, count });
    if (query.offset <= DEEP) {
      const bound = [...values, query.limit, query.offset];
      const page = this.#documents(pageStatement(shape, 'near'), bound, requestedIn(query));
      const [items, total] = await Promise.all([page, count]);
      return { items, total };
    }
    const total = await count;
    const { limit, offset, isReversed } = pageWindow(query, total);
    const statement = pageStatement(shape, isReversed ? 'reversed' : 'deep');
    const items = await this.#documents(statement, [...values, limit, offset], requestedIn(query));
    return { items, total };
  }

  /** A statement and its values, with the names of the fields to read. */
  #reading(
    statement: (names: number | null) => Statement,
    values: readonly unknown[],
  ): [statement: Statement, values: readonly unknown[]] {
    if (this.names === undefined) return [statement(null), values];
    return [statement(values.length + 1), [...values, this.names]];
  }

  async #walk(
    shape: ListShape,
    walk: Walk,
    { values: bind, count }: { values: readonly unknown[]; count: number | Promise<number> },
  ): Promise<ListedPage<StoredDocument>> {
    const values = [...bind];
    const statement = walkStatement(shape, walk, values);
    const [rows, total] = await Promise.all([
      this.pool.run<Row & { position: string[] }>(statement, values),
      count,
    ]);
    const { items, next } = walkedPage(rows, shape.query.limit);
    const requested = requestedIn(shape.query);
    return { items: items.map((row) => documentOf(row, requested(row))), total, next };
  }

  async #documents(
    statement: Statement,
    values: readonly unknown[],
    requested: (row: Row) => string | undefined,
  ): Promise<StoredDocument[]> {
    const rows = await this.pool.run<Row>(statement, values);
    return rows.map((row) => documentOf(row, requested(row)));
  }

  /**
   * Reads only documents whose keys do not tell whether they match, if the filter divides the others.
   * @param bind values of the filter @param bound also those of the candidates
   */
  async #countIndexed(few: ListScope, bind: readonly unknown[], bound: readonly unknown[]): Promise<number> {
    const { query } = few;
    const values = [...bind];
    const list = { environmentId: this.environmentId, contentTypeId: query.contentTypeId };
    const division = divisionSql(query.conditions ?? [], list, values);
    if (division === undefined) return this.#count(few, bound);
    const [row] = await this.pool.run<{ total: number }>(dividedTotal(few, division), values);
    return row?.total ?? 0;
  }

  async #count(shape: ListScope, bind: readonly unknown[]): Promise<number> {
    const [count] = await this.pool.run<{ total: number }>(totalStatement(shape), bind);
    return count?.total ?? 0;
  }
}
