import type { EntryStatus } from '../../../../../contracts/entries/entries/entry.js';
import { containing, Repository } from '../../../../persistence/repositories/repository.js';
import {
  orderSql,
  positionSql,
  walkedPage,
  type ListedPage,
  type ListWindow,
  type Walk,
} from '../../../shared/cursor/list-page.js';
import { pageWindow } from '../../../shared/lists.js';
import { readableEntries, readsEveryEntry } from '../../../shared/readable-entries.js';
import { isHomeSql, placeSql, isReadSql, scheduledSql } from '../read-entry-sql.js';
import { type EntryCondition, type EntryOrder, type StateFilter, stateCondition } from './entry-filters.js';
import { conditionsSql, idsSql, isOrderedByLocale, keysetOf, updatedColumn } from './entry-order.js';
import type { StoredEntry, StoredLocale } from '../stored-entry.js';

/** Null filters match all. */
export interface EntryQuery extends ListWindow {
  readonly contentTypeIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  /** Direct parents. */
  readonly treeParentIds: readonly string[] | null;
  /** Null shows the site's default locale. */
  readonly locale: string | null;
  /** Types whose entries have one document for every locale. */
  readonly forAll: readonly string[];
  readonly statuses: readonly EntryStatus[] | null;
  readonly states: StateFilter | null;
  readonly assigneeIds: readonly string[] | null;
  readonly externalIds: readonly string[] | null;
  readonly titleContains: string | null;
  readonly createdBy: readonly string[] | null;
  readonly updatedBy: readonly string[] | null;
  readonly updatedAfter: Date | null;
  readonly updatedBefore: Date | null;
  /** In the requested locale, else in any. */
  readonly hasSchedule: boolean | null;
  readonly isDeleted: boolean;
  readonly conditions: readonly EntryCondition[];
  readonly orderBy: EntryOrder;
}

/** Entries of a list that have a status and a stored state in common. */
export interface ListGroup {
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly status: EntryStatus;
  /** Null is the base state. */
  readonly state: string | null;
  readonly count: number;
}

interface Bound {
  readonly where: string;
  readonly bind: unknown[];
}

/** Entries that a list finds: FROM clause with conditions, the join of the shown locale, and the values of both. */
interface Found {
  readonly from: string;
  readonly shown: string;
  readonly where: string;
  readonly bind: readonly unknown[];
}

interface ListedEntry extends StoredEntry {
  readonly shownLocale: string;
}

/** As read: times are strings in JSON. */
type ListedRow = Omit<ListedEntry, 'locales'> & { locales: Record<string, unknown>[] };

/** Counters exist by type, site, locale, status and workflow state. */
const hasStoredTotal = (query: EntryQuery): boolean =>
  query.conditions.length === 0 &&
  [
    query.treeParentIds,
    query.externalIds,
    query.titleContains,
    query.assigneeIds,
    query.createdBy,
    query.updatedBy,
    query.updatedAfter,
    query.updatedBefore,
    query.hasSchedule,
  ].every((filter) => filter === null);

/** Documents of every locale are in each. */
function inLocale({ locale, forAll }: EntryQuery, value: (given: unknown) => string): string {
  const own = `l.locale = ${value(locale)}`;
  if (forAll.length === 0) return own;
  return `CASE WHEN l.content_type_id = ANY(${value(forAll)}::uuid[]) THEN l.is_shown ELSE ${own} END`;
}

const times = ['updatedAt', 'publishedAt', 'firstPublishedAt', 'dueAt'] as const;

/** Times are strings in JSON. */
function parseTimes(state: Record<string, unknown>): StoredLocale {
  const dates = times.map((key) => [key, typeof state[key] === 'string' ? new Date(state[key]) : null]);
  return { ...state, ...Object.fromEntries(dates) } as StoredLocale;
}

const entryOf = (row: ListedRow): ListedEntry => ({ ...row, locales: row.locales.map(parseTimes) });

const columns = `e.id, e.content_type_id AS "contentTypeId", e.site_id AS "siteId", e.version, e.external_id AS "externalId", e.shared_fields AS "sharedFields",
  e.shared_hash AS "sharedHash", e.created_at AS "createdAt", e.created_by AS "createdBy", e.updated_at AS "updatedAt",
  e.updated_by AS "updatedBy", e.deleted_at AS "deletedAt", ${placeSql('e.environment_id', 'e.id')} AS place, ${isHomeSql('e')} AS "isHome",
  l.locale AS "shownLocale",
  (SELECT jsonb_agg(jsonb_build_object('locale', s.locale, 'slug', s.slug, 'title', s.title,
      'fields', CASE WHEN s.locale = l.locale THEN s.fields ELSE '{}'::jsonb END, 'contentHash', s.content_hash,
      'publishedContentHash', s.published_content_hash, 'publishedSharedHash', s.published_shared_hash,
      'publishedVersion', s.published_version, 'publishedAt', s.published_at, 'firstPublishedAt', s.first_published_at,
      'updatedAt', s.updated_at, 'workflowState', s.workflow_state, 'assigneeId', s.assignee_id, 'dueAt', s.due_at, 'scheduled', ${scheduledSql('s')}) ORDER BY s.created_at, s.locale)
    FROM entry_locales s WHERE s.environment_id = e.environment_id AND s.entry_id = e.id AND ${isReadSql('s')}) AS locales`;

export class EntryListRepository extends Repository {
  async list(query: EntryQuery): Promise<ListedPage<ListedEntry>> {
    const { shown, where, bind } = this.#filter(query);
    const isLocaleAsked =
      isOrderedByLocale(query) ||
      query.conditions.length > 0 ||
      [query.locale, query.statuses, query.states, query.assigneeIds, query.titleContains].some(
        (filter) => filter !== null,
      );
    const found = { from: `FROM entries e ${isLocaleAsked ? shown : ''} ${where}`, shown, where, bind };
    if (query.walk !== undefined) return this.#walk(query, query.walk, found);
    const total = await this.#total(query, found);
    const bound = [...bind];
    const value = (given: unknown): string => `$${String(bound.push(given))}`;
    const keyset = keysetOf(query, value);
    const { limit, offset, isReversed } = pageWindow(query, total);
    const ids = idsSql(query, found, { bind: value, limit, offset, isReversed, after: null });
    // Selects the page's ids first, so that skipped rows are not read in full.
    const rows = await this.query<ListedRow>(
      `WITH page AS MATERIALIZED (${ids})
       SELECT ${columns} FROM page JOIN entries e ON e.environment_id = $1 AND e.id = page.id ${shown} ORDER BY ${orderSql(keyset)}`,
      bound,
    );
    return { items: rows.map(entryOf), total };
  }

  /** The first ids, in no order. */
  async ids(query: EntryQuery): Promise<string[]> {
    const { shown, where, bind } = this.#filter(query);
    const limit = `$${String(bind.push(query.limit))}`;
    const rows = await this.query<{ id: string }>(
      `SELECT e.id FROM entries e ${shown} ${where} LIMIT ${limit}`,
      bind,
    );
    return rows.map(({ id }) => id);
  }

  async #walk(query: EntryQuery, walk: Walk, found: Found): Promise<ListedPage<ListedEntry>> {
    const total = walk.total ?? (await this.#total(query, found));
    const bind = [...found.bind];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const keyset = keysetOf(query, value);
    const order = orderSql(keyset);
    const page = { limit: query.limit + 1, offset: 0, isReversed: false, after: walk.after };
    const ids = idsSql(query, found, { ...page, bind: value });
    const rows = await this.query<ListedRow & { position: string[] }>(
      `WITH page AS MATERIALIZED (${ids})
       SELECT ${columns}, ${positionSql(keyset)}
       FROM page JOIN entries e ON e.environment_id = $1 AND e.id = page.id ${found.shown} ORDER BY ${order}`,
      bind,
    );
    const { items, next } = walkedPage(rows, query.limit);
    return { items: items.map(entryOf), total, next };
  }

  #total(query: EntryQuery, { from, bind }: Found): Promise<number> {
    const isStored = readsEveryEntry(this.bound.scope) && hasStoredTotal(query);
    return isStored ? this.#storedTotal(query) : this.#count(from, bind);
  }

  async #count(scope: string, bind: readonly unknown[]): Promise<number> {
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${scope}`, bind);
    return count?.total ?? 0;
  }

  /** Sums at most 16 rows per type, site, status and state. */
  async #storedTotal(query: EntryQuery): Promise<number> {
    const { where, bind } = this.#counters(query);
    const [count] = await this.query<{ total: number }>(
      `SELECT coalesce(sum(c.entries), 0)::int AS total FROM entry_counts c WHERE ${where}`,
      bind,
    );
    return count?.total ?? 0;
  }

  #counters(query: EntryQuery): Bound {
    const { contentTypeIds, siteIds, locale, forAll, statuses, states, isDeleted } = query;
    const bind: unknown[] = [this.environmentId, isDeleted, locale ?? '', contentTypeIds, siteIds, statuses];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const inState =
      states === null ? '' : `AND ${stateCondition(states, 'c', { base: "= ''", place: 'c', value })}`;
    const counted =
      locale === null || forAll.length === 0
        ? 'c.locale = $3'
        : `c.locale = CASE WHEN c.content_type_id = ANY(${value(forAll)}::uuid[]) THEN '' ELSE $3 END`;
    const where = `c.environment_id = $1 AND c.is_deleted = $2 AND ${counted}
      AND ($4::uuid[] IS NULL OR c.content_type_id = ANY($4::uuid[])) AND ($5::uuid[] IS NULL OR c.site_id = ANY($5::uuid[]))
      AND ($6::text[] IS NULL OR c.status = ANY($6::text[])) ${inState}`;
    return { where, bind };
  }

  /** Entries of the whole list by status and stored state, in one statement. */
  groups(query: EntryQuery): Promise<ListGroup[]> {
    const columns = (place: string, state: string): string =>
      `${place}.content_type_id AS "contentTypeId", ${place}.site_id AS "siteId", ${state}.status, nullif(${state}.workflow_state, '') AS state`;
    if (readsEveryEntry(this.bound.scope) && hasStoredTotal(query)) {
      const { where, bind } = this.#counters(query);
      return this.query<ListGroup>(
        `SELECT ${columns('c', 'c')}, sum(c.entries)::int AS count FROM entry_counts c WHERE ${where}
         GROUP BY 1, 2, 3, 4 HAVING sum(c.entries) > 0`,
        bind,
      );
    }
    const { shown, where, bind } = this.#filter(query);
    return this.query<ListGroup>(
      `SELECT ${columns('e', 'l')}, count(*)::int AS count FROM entries e ${shown} ${where} GROUP BY 1, 2, 3, 4`,
      bind,
    );
  }

  /** Adds only the requested conditions and uses `=` for single values, so that indexes and their order apply. */
  #filter(query: EntryQuery): { shown: string; where: string; bind: unknown[] } {
    const bind: unknown[] = [this.environmentId];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const shown =
      query.locale === null
        ? `JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.is_shown`
        : `JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND ${inLocale(query, value)}`;
    const isOneOf = (column: string, given: readonly string[], type: string): string =>
      given.length === 1
        ? `${column} = ${value(given[0])}::${type}`
        : `${column} = ANY(${value(given)}::${type}[])`;
    const conditions = [`e.environment_id = $1 AND e.deleted_at IS ${query.isDeleted ? 'NOT NULL' : 'NULL'}`];
    if (query.contentTypeIds !== null)
      conditions.push(isOneOf('e.content_type_id', query.contentTypeIds, 'uuid'));
    if (query.siteIds !== null) conditions.push(isOneOf('e.site_id', query.siteIds, 'uuid'));
    if (query.treeParentIds !== null)
      conditions.push(`EXISTS (SELECT FROM tree_nodes n WHERE n.environment_id = e.environment_id AND n.entry_id = e.id
        AND n.parent_id = ANY(${value(query.treeParentIds)}::uuid[]))`);
    if (query.externalIds !== null) conditions.push(isOneOf('e.external_id', query.externalIds, 'text'));
    if (query.statuses !== null)
      conditions.push(
        `l.is_deleted = ${String(query.isDeleted)} AND ${isOneOf('l.status', query.statuses, 'text')}`,
      );
    if (query.states !== null)
      conditions.push(
        `l.is_deleted = ${String(query.isDeleted)} AND ${stateCondition(query.states, 'l', { base: 'IS NULL', place: 'e', value })}`,
      );
    if (query.assigneeIds !== null) conditions.push(isOneOf('l.assignee_id', query.assigneeIds, 'uuid'));
    if (query.titleContains !== null)
      conditions.push(`normalize(l.title) ILIKE ${value(containing(query.titleContains))}`);
    if (query.createdBy !== null) conditions.push(isOneOf('e.created_by_id', query.createdBy, 'text'));
    if (query.updatedBy !== null) conditions.push(isOneOf('e.updated_by_id', query.updatedBy, 'text'));
    const readable = readableEntries(this.bound.scope, 'e', value);
    if (readable !== null) conditions.push(readable);
    if (query.hasSchedule !== null)
      conditions.push(`${query.hasSchedule ? '' : 'NOT '}EXISTS (SELECT FROM scheduled_jobs j WHERE j.environment_id = e.environment_id
        AND j.entry_id = e.id AND j.status = 'scheduled' ${query.locale === null ? '' : 'AND j.locale = l.locale'})`);
    const updated = updatedColumn(query);
    if (query.updatedAfter !== null) conditions.push(`${updated} > ${value(query.updatedAfter)}`);
    if (query.updatedBefore !== null) conditions.push(`${updated} < ${value(query.updatedBefore)}`);
    if (isOrderedByLocale(query) && !query.isDeleted) {
      // As in the indexes by title.
      conditions.push('NOT l.is_deleted');
      if (query.contentTypeIds !== null)
        conditions.push(isOneOf('l.content_type_id', query.contentTypeIds, 'uuid'));
    }
    return { shown, where: `WHERE ${conditions.join(' AND ')}${conditionsSql(query, bind)}`, bind };
  }
}

/** The first slot that no other write of many entries uses. */
const useOneSlot = {
  name: 'use_one_count_slot',
  text: `SELECT set_config('headwater.count_slot', coalesce((SELECT slot FROM generate_series(0, 15) AS slot
    WHERE pg_try_advisory_xact_lock(hashtextextended('count-slot:' || $1 || ':' || slot, 0)) LIMIT 1),
    pg_backend_pid() & 15)::text, true)`,
};

export class CountSlotRepository extends Repository {
  /**
   * Writes of many entries change one slot of each count. Otherwise they would lock all slots until the commit. Does
   * not wait for it.
   */
  useOne(): void {
    this.defer(this.query(useOneSlot, [this.environmentId]));
  }
}
