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
import {
  hasScheduleSql,
  listedEntry,
  readListed,
  type ListedEntry,
  type ListedRow,
} from '../read-entry-sql.js';
import {
  type EntryCondition,
  type EntryOrder,
  isSearch,
  type StateFilter,
  stateCondition,
} from './entry-filters.js';
import {
  conditionsSql,
  idsSql,
  inLocale,
  isOrderedByLocale,
  keysetOf,
  updatedColumn,
  type IdPage,
} from './entry-order.js';

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
interface Found extends Bound {
  readonly from: string;
  readonly shown: string;
}

/** How many entries a list has, and which, if they are few and finding them reads much. */
interface Counted {
  readonly total: number;
  readonly ids: readonly string[] | null;
}

/** How a list is found: by the ids of all that match, or from rows of locales alone. */
interface Means {
  readonly ids?: Counted['ids'];
  readonly isOfLocales?: boolean;
}

const LOOKED_UP_ONE_BY_ONE = 1000;

interface Placed {
  readonly id: string;
  readonly position: string[];
}

/** Whether rows of locales tell what is listed: they have the type, the site and the state of their entry. */
const isOfLocales = (query: EntryQuery): boolean =>
  !query.isDeleted &&
  [
    query.treeParentIds,
    query.externalIds,
    query.createdBy,
    query.updatedBy,
    query.updatedAfter,
    query.updatedBefore,
    query.hasSchedule,
  ].every((filter) => filter === null);

/** Counters exist by type, site, locale, status and workflow state, of deleted entries too. */
const hasStoredTotal = (query: EntryQuery): boolean =>
  query.conditions.length === 0 &&
  query.titleContains === null &&
  query.assigneeIds === null &&
  isOfLocales({ ...query, isDeleted: false });

/** Whether every title or value is read to find those that match. */
const isSearched = ({ titleContains, conditions }: EntryQuery): boolean =>
  titleContains !== null || conditions.some(isSearch);

/** SQL of the title in NFC, which most titles are in as they are. */
const title = `CASE WHEN octet_length(l.title) = char_length(l.title) THEN l.title ELSE normalize(l.title) END`;

const readsLocale = (query: EntryQuery): boolean =>
  isOrderedByLocale(query) ||
  query.conditions.length > 0 ||
  [query.locale, query.statuses, query.states, query.assigneeIds, query.titleContains].some(
    (filter) => filter !== null,
  );

export class EntryListRepository extends Repository {
  async list(query: EntryQuery): Promise<ListedPage<ListedEntry>> {
    if (query.externalIds !== null) this.planForAnyValues(); // Importers look for what they just made.
    if (query.walk !== undefined) return this.#walk(query, query.walk);
    const { total, ids: few } = await this.#total(query);
    const page = await this.#positions(query, few, { ...pageWindow(query, total), after: null });
    return { items: await this.#read(query, page), total };
  }

  /** The first ids, in no order. */
  async ids(query: EntryQuery): Promise<string[]> {
    const { shown, where, bind } = this.#filter(query);
    const sql = `SELECT e.id FROM entries e ${shown} ${where} LIMIT $${String(bind.push(query.limit))}`;
    return (await this.query<{ id: string }>(sql, bind)).map(({ id }) => id);
  }

  async #walk(query: EntryQuery, walk: Walk): Promise<ListedPage<ListedEntry>> {
    const { total, ids: few } =
      walk.total === null ? await this.#total(query) : { total: walk.total, ids: null };
    const page = { limit: query.limit + 1, offset: 0, isReversed: false, after: walk.after };
    const { items, next } = walkedPage(await this.#positions(query, few, page), query.limit);
    return { items: await this.#read(query, items), total, next };
  }

  /** Selects the page's ids first, so that skipped rows are not read in full. */
  #positions(query: EntryQuery, few: Counted['ids'], page: IdPage): Promise<Placed[]> {
    const found = this.#filter(query, { ids: few });
    const bind = [...found.bind];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const keyset = keysetOf(query, value);
    return this.query<Placed>(
      `WITH page AS MATERIALIZED (${idsSql(query, found, { ...page, bind: value })})
       SELECT e.id, ${positionSql(keyset)}
       FROM page JOIN entries e ON e.environment_id = $1 AND e.id = page.id ${found.shown} ORDER BY ${orderSql(keyset)}`,
      bind,
    );
  }

  async #read(
    { locale, forAll }: EntryQuery,
    page: readonly { readonly id: string }[],
  ): Promise<ListedEntry[]> {
    if (page.length === 0) return [];
    const bind = [this.environmentId, page.map(({ id }) => id), locale, forAll];
    return (await this.query<ListedRow>(readListed, bind)).map(listedEntry);
  }

  async #total(query: EntryQuery): Promise<Counted> {
    const readsEvery = readsEveryEntry(this.bound.scope);
    if (readsEvery && hasStoredTotal(query)) return { total: await this.#storedTotal(query), ids: null };
    const { from, bind } = this.#filter(query, { isOfLocales: readsEvery && isOfLocales(query) });
    if (isSearched(query)) return this.#search(from, bind);
    const [counted] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, bind);
    return { total: counted?.total ?? 0, ids: null };
  }

  /** Reads once what is searched: the entries themselves are found by id. */
  async #search(from: string, bind: readonly unknown[]): Promise<Counted> {
    const few = `$${String(bind.length + 1)}`;
    const [counted = { total: 0, ids: [] }] = await this.query<{ total: number; ids: string[] }>(
      `WITH found AS MATERIALIZED (SELECT l.entry_id AS id ${from}), counted AS MATERIALIZED (SELECT count(*)::int AS total FROM found)
       SELECT total, ARRAY(SELECT id::text FROM found WHERE total <= ${few}) AS ids FROM counted`,
      [...bind, LOOKED_UP_ONE_BY_ONE],
    );
    return { total: counted.total, ids: counted.total > LOOKED_UP_ONE_BY_ONE ? null : counted.ids };
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
  #filter(query: EntryQuery, { ids = null, isOfLocales = false }: Means = {}): Found {
    const bind: unknown[] = [this.environmentId];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const inShown = query.locale === null ? 'l.is_shown' : inLocale(query, value);
    const shown = `JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND ${inShown}`;
    const place = isOfLocales ? 'l' : 'e';
    const isOneOf = (column: string, given: readonly string[], type: string): string =>
      given.length === 1
        ? `${column} = ${value(given[0])}::${type}`
        : `${column} = ANY(${value(given)}::${type}[])`;
    const conditions = isOfLocales
      ? [`l.environment_id = $1 AND NOT l.is_deleted AND ${inShown}`]
      : [`e.environment_id = $1 AND e.deleted_at IS ${query.isDeleted ? 'NOT NULL' : 'NULL'}`];
    if (ids !== null) conditions.push(`e.id = ANY(${value(ids)}::uuid[])`);
    if (query.contentTypeIds !== null)
      conditions.push(isOneOf(`${place}.content_type_id`, query.contentTypeIds, 'uuid'));
    if (query.siteIds !== null) conditions.push(isOneOf(`${place}.site_id`, query.siteIds, 'uuid'));
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
        `l.is_deleted = ${String(query.isDeleted)} AND ${stateCondition(query.states, 'l', { base: 'IS NULL', place, value })}`,
      );
    if (query.assigneeIds !== null) conditions.push(isOneOf('l.assignee_id', query.assigneeIds, 'uuid'));
    if (query.titleContains !== null)
      conditions.push(`${title} ILIKE ${value(containing(query.titleContains))}`);
    if (query.createdBy !== null) conditions.push(isOneOf('e.created_by_id', query.createdBy, 'text'));
    if (query.updatedBy !== null) conditions.push(isOneOf('e.updated_by_id', query.updatedBy, 'text'));
    const readable = readableEntries(this.bound.scope, 'e', value);
    if (readable !== null) conditions.push(readable);
    if (query.hasSchedule !== null) conditions.push(hasScheduleSql(query));
    const updated = updatedColumn(query);
    if (query.updatedAfter !== null) conditions.push(`${updated} > ${value(query.updatedAfter)}`);
    if (query.updatedBefore !== null) conditions.push(`${updated} < ${value(query.updatedBefore)}`);
    if ((isOrderedByLocale(query) || query.titleContains !== null) && !query.isDeleted && !isOfLocales) {
      // As in the indexes by title.
      conditions.push('NOT l.is_deleted');
      if (query.contentTypeIds !== null)
        conditions.push(isOneOf('l.content_type_id', query.contentTypeIds, 'uuid'));
    }
    const where = `WHERE ${conditions.join(' AND ')}${conditionsSql(query, bind)}`;
    const rows = isOfLocales ? 'entry_locales l' : `entries e ${readsLocale(query) ? shown : ''}`;
    return { from: `FROM ${rows} ${where}`, shown, where, bind };
  }
}
