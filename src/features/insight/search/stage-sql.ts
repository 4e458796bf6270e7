import { inTextOrder } from '../../../infrastructure/text-order.js';
import type { SearchStage } from '../../../content/search/search-document.js';
import type { WorkScope } from '../../../persistence/work/unit-of-work.js';
import { casts, filterSql, liveRow, valueIn } from '../../publishing/delivery/index.js';
import { stateCondition } from '../../entries/entries/index.js';
import { readableEntries, type Bind } from '../../shared/readable-entries.js';
import type { SearchQuery, SearchSort, SystemSortKey } from './search-index.js';

/** SQL of what is found at a stage. `$1` is the environment. */
export interface StageSql {
  /** Rows of all documents. */
  readonly all: string;
  /** Rows of the documents `hits`. */
  readonly ofHits: string;
  /** The same of a part of a large index. `OFFSET 0` forces index lookups; otherwise the planner reads all entries. */
  readonly ofFewHits: string;
  /** What the rows are limited to by the place of the search. */
  readonly where: string;
  /** Columns of a row that facets and order use. */
  readonly columns: string;
  readonly contentType: string;
  readonly fields: string;
  readonly sortColumns: Readonly<Record<SystemSortKey, string>>;
}

const publishedHits =
  'hits h JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = h.entry_id AND p.locale = h.locale';

const stages: Readonly<Record<SearchStage, StageSql>> = {
  draft: {
    all: 'entries e JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id',
    ofHits: `hits h JOIN entries e ON e.environment_id = $1 AND e.id = h.entry_id
      JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id AND l.locale = h.locale`,
    ofFewHits: `hits h CROSS JOIN LATERAL (SELECT * FROM entries WHERE environment_id = $1 AND id = h.entry_id OFFSET 0) AS e
      CROSS JOIN LATERAL (SELECT * FROM entry_locales
        WHERE environment_id = $1 AND entry_id = h.entry_id AND locale = h.locale OFFSET 0) AS l`,
    where: 'e.environment_id = $1 AND e.deleted_at IS NULL AND NOT l.is_deleted',
    columns:
      'e.id, l.locale, e.content_type_id, e.site_id, l.status, l.workflow_state, l.assignee_id, e.updated_at',
    contentType: 'e.content_type_id',
    fields: '(l.fields || e.shared_fields)',
    sortColumns: {
      title: inTextOrder('l.title'),
      createdAt: 'e.created_at',
      updatedAt: 'e.updated_at',
      publishedAt: 'l.published_at',
    },
  },
  live: {
    all: 'published_entries p',
    ofHits: publishedHits,
    ofFewHits: publishedHits,
    where: 'p.environment_id = $1',
    columns: 'p.entry_id AS id, p.locale, p.content_type_id, p.site_id, p.published_at AS updated_at',
    contentType: 'p.content_type_id',
    fields: 'p.fields',
    sortColumns: {
      title:
        inTextOrder(`(SELECT d.title FROM search_documents d WHERE d.environment_id = $1 AND d.entry_id = p.entry_id
        AND d.locale = p.locale AND d.stage = 'live')`),
      createdAt: 'p.created_at',
      updatedAt: 'p.published_at',
      publishedAt: 'p.published_at',
    },
  },
};

export const stageSql = (stage: SearchStage): StageSql => stages[stage];

/** SQL of the value that results are sorted by. */
export function sortSql(sort: SearchSort, { fields, sortColumns }: StageSql, bind: Bind): string {
  if ('key' in sort) return sortColumns[sort.key];
  const value = casts[sort.comparison](`(${fields} -> ${bind(sort.apiName)}::text)`);
  return sort.comparison === 'string' ? inTextOrder(value) : value;
}

/** Collects conditions whose values are bound. */
class Conditions {
  readonly #parts: string[] = [];

  constructor(private readonly bound: unknown[]) {}

  readonly bind: Bind = (given) => `$${String(this.bound.push(given))}`;

  add(condition: string | null): void {
    if (condition !== null) this.#parts.push(` AND ${condition}`);
  }

  among(column: string, given: readonly string[] | null, type: string): void {
    if (given !== null) this.add(`${column} = ANY(${this.bind(given)}::${type}[])`);
  }

  /** @param forAll condition on rows that serve every locale; null if there are none */
  inLocales(row: string, locales: readonly string[] | null, forAll: string | null): void {
    if (forAll === null) this.among(`${row}.locale`, locales, 'text');
    else if (locales !== null) this.add(`(${row}.locale = ANY(${this.bind(locales)}::text[]) OR ${forAll})`);
  }

  /** @param table locales of the entries, whose row is `row` */
  bestOf(chain: readonly string[] | null, table: string, row: string): void {
    if (chain === null || chain.length < 2) return;
    const locales = `${this.bind(chain)}::text[]`;
    const isRead = table === 'entry_locales' ? 'NOT better.is_deleted AND ' : '';
    this.add(`NOT EXISTS (SELECT FROM ${table} better WHERE better.environment_id = $1
      AND better.entry_id = ${row}.entry_id AND ${isRead}array_position(${locales}, better.locale) < array_position(${locales}, ${row}.locale))`);
  }

  toString(): string {
    return this.#parts.join('');
  }
}

function draftConditions(scope: WorkScope, query: SearchQuery, bound: unknown[]): string {
  const conditions = new Conditions(bound);
  const value = conditions.bind;
  conditions.among('e.content_type_id', query.contentTypeIds, 'uuid');
  conditions.among('e.site_id', query.siteIds, 'uuid');
  const { forAll } = query;
  const types = forAll.length > 0 && query.locales !== null ? `${value(forAll)}::uuid[]` : null;
  conditions.inLocales('l', query.locales, types && `(l.is_shown AND e.content_type_id = ANY(${types}))`);
  conditions.among('l.status', query.statuses, 'text');
  conditions.among('l.assignee_id', query.assigneeIds, 'uuid');
  conditions.among('e.created_by_id', query.createdBy, 'text');
  conditions.among('e.updated_by_id', query.updatedBy, 'text');
  if (query.isChain) conditions.bestOf(query.locales, 'entry_locales', 'l');
  if (query.states !== null)
    conditions.add(stateCondition(query.states, 'l', { base: 'IS NULL', place: 'e', value }));
  if (query.updatedAfter !== null) conditions.add(`e.updated_at > ${value(query.updatedAfter)}`);
  if (query.updatedBefore !== null) conditions.add(`e.updated_at < ${value(query.updatedBefore)}`);
  conditions.add(readableEntries(scope, 'e', value));
  const row = {
    value: valueIn(stages.draft.fields),
    columns: { _slug: 'l.slug', _id: 'e.id', _publishedAt: 'l.published_at' },
  };
  return `${String(conditions)}${filterSql(query.conditions, row, bound)}`;
}

function liveConditions(query: SearchQuery, bound: unknown[]): string {
  const conditions = new Conditions(bound);
  const types = query.contentTypeIds === null ? null : `${conditions.bind(query.contentTypeIds)}::uuid[]`;
  if (types !== null) conditions.add(`p.content_type_id = ANY(${types})`);
  conditions.among('p.site_id', query.siteIds, 'uuid');
  conditions.inLocales('p', query.locales, query.forAll.length > 0 ? 'p.all_locales' : null);
  if (query.isChain) conditions.bestOf(query.locales, 'published_entries', 'p');
  if (types === null) return String(conditions);
  return `${String(conditions)}${filterSql(query.conditions, liveRow(`(${types})[1]`), bound)}`;
}

/** SQL that continues the WHERE clause of a stage. */
export const conditionsSql = (scope: WorkScope, query: SearchQuery, bound: unknown[]): string =>
  query.stage === 'draft' ? draftConditions(scope, query, bound) : liveConditions(query, bound);
