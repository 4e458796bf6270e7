import type { Page } from '../../../../contracts/envelopes.js';
import type { Actor } from '../../../../contracts/actor.js';
import type { CalendarItem } from '../../../../contracts/publishing/calendar/calendar-item.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { isPermitted } from '../../../access/authorize.js';
import { orphanedSql } from '../../shared/key-reach.js';
import { readableEntries } from '../../shared/readable-entries.js';

/** Null filters match all. */
export interface CalendarQuery {
  readonly from: Date;
  readonly to: Date;
  readonly siteIds: readonly string[] | null;
  readonly locales: readonly string[] | null;
  readonly kinds: readonly CalendarItem['kind'][] | null;
  readonly statuses: readonly CalendarItem['status'][] | null;
}

interface Slice {
  readonly limit: number;
  readonly offset: number;
  /** The latest first instead of the soonest. */
  readonly isReversed?: boolean;
}

export interface StoredItem extends Omit<CalendarItem, 'scheduledAt' | 'completedAt' | 'error'> {
  readonly scheduledAt: Date;
  readonly completedAt: Date | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly createdBy: Actor;
  readonly updatedAt: Date;
}

const jobs = `
  SELECT j.id::text AS id, j.kind, j.entry_id, j.release_id, j.locale, j.scheduled_at AS at, j.timezone, j.status, j.completed_at, j.error, j.created_by, j.updated_at,
    j.status = 'scheduled' AND ${orphanedSql('j', '$4')} AS orphaned
  FROM scheduled_jobs j WHERE j.environment_id = $1 AND j.scheduled_at >= $2 AND j.scheduled_at < $3`;

/** What a job published is the job's own item. */
const publications = `
  SELECT p.entry_id::text || '.' || p.ordinal, p.kind || 'ed', p.entry_id, NULL, p.locale, p.at, 'UTC', 'succeeded', p.at, NULL, p.by, p.at, false
  FROM entry_publications p WHERE p.environment_id = $1 AND p.at >= $2 AND p.at < $3
    AND NOT EXISTS (SELECT FROM scheduled_jobs j WHERE j.environment_id = p.environment_id AND j.entry_id = p.entry_id
      AND j.locale = p.locale AND j.kind = p.kind AND j.completed_at = p.at AND j.status = 'succeeded')`;

const conflicts = `ARRAY(SELECT o.id::text FROM scheduled_jobs o WHERE i.status = 'scheduled' AND o.environment_id = $1
  AND o.entry_id = i.entry_id AND o.locale = i.locale AND o.status = 'scheduled' AND o.id::text <> i.id ORDER BY o.scheduled_at, o.id)`;

interface Matching {
  readonly sql: string;
  readonly bind: readonly unknown[];
}

export class CalendarRepository extends Repository {
  /** Soonest first. Leaves out entries that the caller may not read. */
  async list(query: CalendarQuery, slice: Slice): Promise<Page<StoredItem>> {
    const matching = this.#matching(query);
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${matching.sql}`, [
      ...matching.bind,
    ]);
    return { items: await this.#items(matching, slice), total: count?.total ?? 0 };
  }

  /** As {@link list}, without the total. */
  items(query: CalendarQuery, slice: Slice): Promise<StoredItem[]> {
    return this.#items(this.#matching(query), slice);
  }

  #matching(query: CalendarQuery): Matching {
    const bind: unknown[] = [this.environmentId, query.from, query.to, this.bound.now];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    // Of a release, the entries that it publishes.
    const inRelease = (
      condition: string,
    ): string => `(i.release_id IS NOT NULL AND EXISTS (SELECT FROM release_items o
      LEFT JOIN entries oe ON oe.environment_id = $1 AND oe.id = o.entry_id
      WHERE o.environment_id = $1 AND o.release_id = i.release_id AND ${condition}))`;
    const conditions = ['e.deleted_at IS NULL'];
    if (query.siteIds !== null) {
      const ids = `ANY(${value(query.siteIds)}::uuid[])`;
      conditions.push(`(e.site_id = ${ids} OR ${inRelease(`oe.site_id = ${ids}`)})`);
    }
    if (query.locales !== null) {
      const codes = `ANY(${value(query.locales)}::text[])`;
      conditions.push(`(i.locale = ${codes} OR ${inRelease(`o.locale = ${codes}`)})`);
    }
    if (query.kinds !== null) conditions.push(`i.kind = ANY(${value(query.kinds)}::text[])`);
    if (query.statuses !== null) conditions.push(`i.status = ANY(${value(query.statuses)}::text[])`);
    const readable = readableEntries(this.bound.scope, 'e', value);
    const seesReleases = isPermitted(this.bound, 'releases.read');
    conditions.push(
      `CASE WHEN i.release_id IS NULL THEN e.id IS NOT NULL AND ${readable ?? 'true'} ELSE ${String(seesReleases)} END`,
    );
    const sql = `FROM (${jobs} UNION ALL ${publications}) i
      LEFT JOIN entries e ON e.environment_id = $1 AND e.id = i.entry_id WHERE ${conditions.join(' AND ')}`;
    return { sql, bind };
  }

  #items({ sql, bind }: Matching, { limit, offset, isReversed = false }: Slice): Promise<StoredItem[]> {
    const order = isReversed ? 'i.at DESC, i.id DESC' : 'i.at, i.id';
    return this.query<StoredItem>(
      `WITH page AS MATERIALIZED (SELECT i.*, e.site_id, e.content_type_id ${sql}
         ORDER BY ${order} LIMIT $${String(bind.length + 1)} OFFSET $${String(bind.length + 2)})
       SELECT i.id, i.kind, i.entry_id AS "entryId", i.release_id AS "releaseId", coalesce(r.name, l.title, '') AS "entryTitle", t.api_name AS "contentTypeApiName",
         i.site_id AS "siteId", i.locale, i.at AS "scheduledAt", i.timezone, i.status, i.completed_at AS "completedAt", i.error,
         i.created_by AS "createdBy", i.updated_at AS "updatedAt", i.orphaned, ${conflicts} AS conflicts
       FROM page i LEFT JOIN releases r ON r.environment_id = $1 AND r.id = i.release_id
         LEFT JOIN content_types t ON t.environment_id = $1 AND t.id = i.content_type_id
         LEFT JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = i.entry_id AND l.locale = i.locale
       ORDER BY i.at, i.id`,
      [...bind, limit, offset],
    );
  }
}
