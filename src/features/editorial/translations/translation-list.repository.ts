import type { TranslationStatus } from '../../../../contracts/editorial/translations/translation.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import {
  afterSql,
  walkedPage,
  type ListedPage,
  type ListWindow,
  type Position,
  type Walk,
} from '../../shared/cursor/list-page.js';
import { pageWindow } from '../../shared/lists.js';
import { translatedEntryColumns, type TranslatedEntry } from './stored-translation.js';
import {
  isWork,
  matchingTranslations,
  reachedSql,
  reachesAll,
  type TranslationQuery,
} from './translation-filter.js';

export interface TranslationPageQuery extends TranslationQuery, ListWindow {
  /** Sites with translations; the only ones with entries to list. */
  readonly translatedSiteIds: readonly string[];
  readonly isAscending: boolean;
}

/** Ids to find: as many, in a direction, after one. */
interface Slice {
  readonly direction: 'ASC' | 'DESC';
  readonly end: number;
  readonly after: Position | null;
}

export interface StatusCount {
  readonly locale: string;
  readonly contentTypeId: string;
  readonly status: TranslationStatus;
  readonly count: number;
}

interface Bound {
  readonly bind: unknown[];
  readonly value: (given: unknown) => string;
}

const byKeys = `AND ($3::uuid[] IS NULL OR content_type_id = ANY($3::uuid[])) AND ($4::uuid[] IS NULL OR site_id = ANY($4::uuid[]))`;

/**
 * The dashboard, in the order of entry ids, which is that of creation. Totals and counts come from counters where
 * these exist: by type, site, locale and status.
 */
export class TranslationListRepository extends Repository {
  async list(query: TranslationPageQuery): Promise<ListedPage<TranslatedEntry>> {
    if (query.walk !== undefined) return this.#walk(query, query.walk);
    const total = await this.#total(query);
    const { limit, offset, isReversed } = pageWindow(query, total);
    const direction = query.isAscending !== isReversed ? 'ASC' : 'DESC';
    const bound = this.#bound();
    const found = this.#found(query, bound, { direction, end: offset + limit, after: null });
    const window = `LIMIT ${bound.value(limit)} OFFSET ${bound.value(offset)}`;
    const items = await this.#entries(query, `(${found}) AS f ORDER BY id ${direction} ${window}`, bound);
    return { items, total };
  }

  async #walk(query: TranslationPageQuery, walk: Walk): Promise<ListedPage<TranslatedEntry>> {
    const bound = this.#bound();
    const direction = query.isAscending ? 'ASC' : 'DESC';
    const end = query.limit + 1;
    const found = this.#found(query, bound, { direction, end, after: walk.after });
    const ids = `(${found}) AS f ORDER BY id ${direction} LIMIT ${bound.value(end)}`;
    const rows = await this.#entries(query, ids, bound);
    const placed = rows.map((entry) => ({ ...entry, position: [entry.entryId] }));
    return { ...walkedPage(placed, query.limit), total: walk.total ?? (await this.#total(query)) };
  }

  /** @param ids FROM clause of the ids of a page */
  #entries({ isAscending }: TranslationPageQuery, ids: string, { bind }: Bound): Promise<TranslatedEntry[]> {
    return this.query<TranslatedEntry>(
      `WITH page AS MATERIALIZED (SELECT id FROM ${ids})
       SELECT ${translatedEntryColumns} FROM page JOIN entries e ON e.environment_id = $1 AND e.id = page.id
       ORDER BY e.id ${isAscending ? 'ASC' : 'DESC'}`,
      bind,
    );
  }

  /** Entries with translations that match, oldest first. */
  async matchingIds(query: TranslationQuery, limit: number): Promise<string[]> {
    const { bind, value } = this.#bound();
    const found = await this.query<{ id: string }>(
      `SELECT DISTINCT t.entry_id AS id ${matchingTranslations(this.bound.scope, query, value)}
       ORDER BY id LIMIT ${value(limit)}`,
      bind,
    );
    return found.map(({ id }) => id);
  }

  /** Translations in each status, by locale and type; the status filter does not apply. */
  async statusCounts(query: TranslationQuery): Promise<StatusCount[]> {
    const keys = `locale, content_type_id AS "contentTypeId", status`;
    if (reachesAll(this.bound.scope) && !isWork(query)) {
      return this.query<StatusCount>(
        `SELECT ${keys}, sum(entries)::int AS count FROM translation_counts
         WHERE environment_id = $1 AND NOT is_deleted AND CASE WHEN $2::text IS NULL THEN locale <> '' ELSE locale = $2 END ${byKeys}
         GROUP BY locale, content_type_id, status HAVING sum(entries) > 0`,
        [this.environmentId, query.locale, query.contentTypeIds, query.siteIds],
      );
    }
    const { bind, value } = this.#bound();
    const rows = matchingTranslations(this.bound.scope, { ...query, statuses: null }, value);
    return this.query<StatusCount>(
      `SELECT t.locale, t.content_type_id AS "contentTypeId", t.status, count(*)::int AS count ${rows} GROUP BY 1, 2, 3`,
      bind,
    );
  }

  /** Entries that have translations; the types are those with locales. */
  async countEntries(
    query: Pick<TranslationPageQuery, 'contentTypeIds' | 'translatedSiteIds'>,
  ): Promise<number> {
    const { bind, value } = this.#bound();
    const types = value(query.contentTypeIds);
    const sites = value(query.translatedSiteIds);
    const reached = reachedSql(this.bound.scope, value);
    const [count] = await this.query<{ total: number }>(
      reached === ''
        ? `SELECT coalesce(sum(entries), 0)::int AS total FROM entry_counts WHERE environment_id = $1 AND NOT is_deleted AND locale = ''
             AND (${types}::uuid[] IS NULL OR content_type_id = ANY(${types}::uuid[])) AND site_id = ANY(${sites}::uuid[])`
        : `SELECT count(*)::int AS total FROM entries e WHERE e.environment_id = $1 AND e.deleted_at IS NULL
             AND (${types}::uuid[] IS NULL OR e.content_type_id = ANY(${types}::uuid[])) AND e.site_id = ANY(${sites}::uuid[])${reached}`,
      bind,
    );
    return count?.total ?? 0;
  }

  #bound(): Bound {
    const bind: unknown[] = [this.environmentId];
    return { bind, value: (given) => `$${String(bind.push(given))}` };
  }

  /** Distinct ids; of several statuses, enough of each for the page. */
  #found(query: TranslationPageQuery, { value }: Bound, { direction, end, after }: Slice): string {
    const afterId = (column: string): string =>
      afterSql({ keys: [{ column, type: 'uuid' }], isAscending: direction === 'ASC' }, after, value);
    if (query.statuses === null && query.locale === null && !isWork(query)) {
      const types = query.contentTypeIds;
      const ofTypes = types === null ? '' : ` AND e.content_type_id = ANY(${value(types)}::uuid[])`;
      return `SELECT e.id FROM entries e WHERE e.environment_id = $1 AND e.deleted_at IS NULL${ofTypes}
        AND e.site_id = ANY(${value(query.translatedSiteIds)}::uuid[])${reachedSql(this.bound.scope, value)}${afterId('e.id')}`;
    }
    const one = (statuses: TranslationQuery['statuses']): string =>
      `(SELECT DISTINCT t.entry_id AS id ${matchingTranslations(this.bound.scope, { ...query, statuses }, value)}${afterId('t.entry_id')}
        ORDER BY t.entry_id ${direction} LIMIT ${value(end)})`;
    if (query.statuses === null) return one(null);
    return [...new Set(query.statuses)].map((status) => one([status])).join(' UNION ');
  }

  async #total(query: TranslationPageQuery): Promise<number> {
    const { statuses, locale } = query;
    const isCounted = reachesAll(this.bound.scope) && !isWork(query);
    if (statuses === null && locale === null && !isWork(query)) return this.countEntries(query);
    if (isCounted) {
      const [stored] = await this.query<{ total: number }>(
        `SELECT coalesce(sum(entries), 0)::int AS total FROM translation_counts
         WHERE environment_id = $1 AND NOT is_deleted AND locale = $2 ${byKeys}
           AND ($5::text[] IS NULL OR string_to_array(status, ',') && $5::text[])`,
        [this.environmentId, locale ?? '', query.contentTypeIds, query.siteIds, statuses],
      );
      return stored?.total ?? 0;
    }
    const { bind, value } = this.#bound();
    const [count] = await this.query<{ total: number }>(
      `SELECT count(DISTINCT t.entry_id)::int AS total ${matchingTranslations(this.bound.scope, query, value)}`,
      bind,
    );
    return count?.total ?? 0;
  }
}
