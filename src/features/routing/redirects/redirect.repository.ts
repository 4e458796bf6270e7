import { AppError } from '../../../../contracts/errors.js';
import type { RedirectOrigin } from '../../../../contracts/routing/redirects/redirect.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { Change } from '../../../persistence/work/change-log.js';
import { containing, Repository } from '../../../persistence/repositories/repository.js';
import {
  afterSql,
  orderSql,
  positionSql,
  walkedPage,
  type Keyset,
  type ListedPage,
  type ListWindow,
  type Position,
} from '../../shared/cursor/list-page.js';
import type { RedirectRule } from './redirect-rule.js';

export interface RedirectRow extends RedirectRule {
  readonly siteId: string;
  readonly isActive: boolean;
  readonly origin: RedirectOrigin;
  readonly note: string | null;
  readonly hitCount: number;
  readonly lastHitAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A redirect before and after a write. */
export type RedirectPair =
  | { readonly before: RedirectRow | null; readonly after: RedirectRow }
  | { readonly before: RedirectRow; readonly after: null };

export const rowOf = ({ before, after }: RedirectPair): RedirectRow => after ?? before;

export function verbOf({ before, after }: RedirectPair): 'created' | 'updated' | 'deleted' {
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'updated';
}

const actions = {
  created: 'redirect.create',
  updated: 'redirect.update',
  deleted: 'redirect.delete',
} as const;

export function redirectChange(pair: RedirectPair): Change {
  const { id, source, siteId, locale } = rowOf(pair);
  return {
    action: actions[verbOf(pair)],
    target: { type: 'redirect', id, name: source },
    before: pair.before && { ...pair.before },
    after: pair.after && { ...pair.after },
    siteId,
    locale,
  };
}

/** Null filters match all. */
export interface RedirectFilter {
  readonly siteIds: readonly string[] | null;
  readonly locales: readonly string[] | null;
  readonly origins: readonly RedirectOrigin[] | null;
  readonly isActive: boolean | null;
  readonly contains: string | null;
}

export interface RedirectPage extends ListWindow {
  readonly orderBy: string;
}

/** Columns of {@link RedirectRow}, alias `r`. */
export const redirectColumns = `r.id, r.site_id AS "siteId", r.source, r.target, r.status, r.match_type AS "matchType",
  r.query_match AS "queryMatch", r.locale,
  r.is_active AS "isActive", r.origin, r.note, r.hit_count AS "hitCount", r.last_hit_at AS "lastHitAt",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

export function editable(row: RedirectRow) {
  const { source, target, status, matchType, queryMatch, locale, isActive, note } = row;
  return { source, target, status, matchType, queryMatch, locale, isActive, note };
}

const updatedAt = { column: 'r.updated_at', type: 'time' } as const;
const sortKeys: Readonly<Record<string, Keyset['keys'][number]>> = {
  createdAt: { column: 'r.created_at', type: 'time' },
  updatedAt,
  source: { column: 'r.source', type: 'text' },
};

function keysetOf(orderBy: string): Keyset {
  const [key = '', direction] = orderBy.split(':');
  return {
    keys: [sortKeys[key] ?? updatedAt, { column: 'r.id', type: 'uuid' }],
    isAscending: direction === 'asc',
  };
}

const sourceErrors = { redirects_source_key: () => new AppError('redirect_conflict') };

export class RedirectRepository extends Repository {
  /** Serializes writers, so that concurrent changes cannot form a loop. */
  async lockAll(): Promise<void> {
    await this.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('redirects:' || $1, 0)) IS NULL AS locked",
      [this.environmentId],
    );
  }

  /** @throws AppError 404 `redirect_not_found` */
  async find(id: string): Promise<RedirectRow> {
    const [row] = isUuid(id)
      ? await this.query<RedirectRow>(
          `SELECT ${redirectColumns} FROM redirects r WHERE r.environment_id = $1 AND r.id = $2`,
          [this.environmentId, id],
        )
      : [];
    if (row === undefined) throw new AppError('redirect_not_found');
    return row;
  }

  async list(
    filter: RedirectFilter,
    { orderBy, limit, offset, walk }: RedirectPage,
  ): Promise<ListedPage<RedirectRow>> {
    const { where, bind } = this.#where(filter);
    const keyset = keysetOf(orderBy);
    const values = [...bind];
    const value = (given: unknown): string => `$${String(values.push(given))}`;
    const rows = await this.query<RedirectRow & { position: Position }>(
      `SELECT ${redirectColumns}, ${positionSql(keyset)} FROM redirects r
       WHERE ${where}${afterSql(keyset, walk?.after ?? null, value)}
       ORDER BY ${orderSql(keyset)} LIMIT ${value(limit + 1)} OFFSET ${value(offset)}`,
      values,
    );
    const total = walk?.total ?? (await this.#count(where, bind));
    return { ...walkedPage(rows, limit), total };
  }

  async #count(where: string, bind: readonly unknown[]): Promise<number> {
    const [count] = await this.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM redirects r WHERE ${where}`,
      bind,
    );
    return count?.total ?? 0;
  }

  async export(filter: RedirectFilter, maximum: number): Promise<RedirectRow[]> {
    const { where, bind } = this.#where(filter);
    return this.query<RedirectRow>(
      `SELECT ${redirectColumns} FROM redirects r WHERE ${where} ORDER BY r.source, r.id LIMIT $${String(bind.length + 1)}`,
      [...bind, maximum],
    );
  }

  /** Number of patterns by site. */
  async patternCounts(siteIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.query<{ siteId: string; patterns: number }>(
      `SELECT site_id AS "siteId", count(*)::int AS patterns FROM redirects
       WHERE environment_id = $1 AND site_id = ANY($2::uuid[]) AND match_type = 'regex' GROUP BY site_id`,
      [this.environmentId, siteIds],
    );
    return new Map(rows.map(({ siteId, patterns }) => [siteId, patterns]));
  }

  /** @throws AppError 409 `redirect_conflict` */
  async insert(row: RedirectRow): Promise<void> {
    await this.mapViolations(
      this.query(
        `INSERT INTO redirects (tenant_id, environment_id, id, site_id, source, target, status, match_type, query_match,
           locale, is_active, origin, note, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
        [
          this.tenantId,
          this.environmentId,
          row.id,
          row.siteId,
          ...this.#values(row),
          row.origin,
          row.note,
          row.createdAt,
        ],
      ),
      sourceErrors,
    );
    this.record(redirectChange({ before: null, after: row }));
  }

  /** @throws AppError 409 `redirect_conflict` */
  async save(before: RedirectRow, after: RedirectRow): Promise<void> {
    await this.mapViolations(
      this.query(
        `UPDATE redirects SET source = $3, target = $4, status = $5, match_type = $6, query_match = $7, locale = $8,
           is_active = $9, note = $10, updated_at = $11 WHERE environment_id = $1 AND id = $2`,
        [this.environmentId, before.id, ...this.#values(after), after.note, after.updatedAt],
      ),
      sourceErrors,
    );
    this.record(redirectChange({ before, after }));
  }

  async remove(row: RedirectRow): Promise<void> {
    await this.query('DELETE FROM redirects WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      row.id,
    ]);
    this.record(redirectChange({ before: row, after: null }));
  }

  #values(row: RedirectRow): unknown[] {
    return [row.source, row.target, row.status, row.matchType, row.queryMatch, row.locale, row.isActive];
  }

  /** Adds only the requested conditions, so that indexes apply. */
  #where(filter: RedirectFilter): { where: string; bind: unknown[] } {
    const bind: unknown[] = [this.environmentId];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const conditions = ['r.environment_id = $1'];
    if (filter.siteIds !== null) conditions.push(`r.site_id = ANY(${value(filter.siteIds)}::uuid[])`);
    if (filter.locales !== null) conditions.push(`r.locale = ANY(${value(filter.locales)}::text[])`);
    if (filter.origins !== null) conditions.push(`r.origin = ANY(${value(filter.origins)}::text[])`);
    if (filter.isActive !== null) conditions.push(`r.is_active = ${value(filter.isActive)}`);
    if (filter.contains !== null) {
      const pattern = value(containing(filter.contains));
      conditions.push(
        `(r.source COLLATE "default" ILIKE ${pattern} OR r.target COLLATE "default" ILIKE ${pattern})`,
      );
    }
    return { where: conditions.join(' AND '), bind };
  }
}
