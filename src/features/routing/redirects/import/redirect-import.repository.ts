import type { RedirectImportReport } from '../../../../../contracts/routing/redirects/redirect.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { rowKey, type PlannedRow } from './import-plan.js';
import { redirectColumns, type RedirectRow } from '../redirect.repository.js';

/** Redirects per audit record. */
const RECORDED = 500;

type Key = Pick<RedirectRow, 'siteId' | 'locale' | 'source'>;

/** Redirects of these sites not in the list. */
const otherRedirects = `environment_id = $1 AND site_id = ANY($2::uuid[])
  AND r.id <> ALL($3::uuid[])`;

export interface OtherRedirects {
  readonly count: number;
  /** Up to {@link RECORDED}. */
  readonly first: readonly RedirectRow[];
}

export interface ImportRecord {
  readonly report: RedirectImportReport;
  readonly mode: string;
  readonly changes: readonly PlannedRow[];
  readonly deleted: readonly RedirectRow[];
}

/** One statement per operation. */
export class RedirectImportRepository extends Repository {
  /** By {@link rowKey}. */
  async findByKeys(keys: readonly Key[]): Promise<Map<string, RedirectRow>> {
    const rows = await this.query<RedirectRow>(
      // OFFSET 0 forces one index lookup per key, whatever the statistics.
      `SELECT found.* FROM jsonb_to_recordset($2::jsonb) AS k ("siteId" uuid, locale text, source text)
       CROSS JOIN LATERAL (SELECT ${redirectColumns} FROM redirects r WHERE r.environment_id = $1 AND r.site_id = k."siteId"
         AND r.source = k.source COLLATE "C" AND r.locale IS NOT DISTINCT FROM k.locale OFFSET 0) AS found`,
      [this.environmentId, JSON.stringify(keys)],
    );
    return new Map(rows.map((row) => [rowKey(row), row]));
  }

  /** ON CONFLICT forces key lookups, which a join would not. */
  async writeAll(rows: readonly RedirectRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.query(
      `INSERT INTO redirects (tenant_id, environment_id, id, site_id, source, target, status, match_type, query_match,
         locale, is_active, origin, note, created_at, updated_at)
       SELECT $1, $2, n.id, n."siteId", n.source, n.target, n.status, n."matchType", n."queryMatch", n.locale, n."isActive", n.origin,
         n.note, n."createdAt", n."updatedAt"
       FROM jsonb_to_recordset($3::jsonb) AS n (id uuid, "siteId" uuid, source text, target text, status integer,
         "matchType" text, "queryMatch" text, locale text, "isActive" boolean, origin text, note text, "createdAt" timestamptz, "updatedAt" timestamptz)
       ON CONFLICT (environment_id, id) DO UPDATE SET target = excluded.target, status = excluded.status,
         match_type = excluded.match_type, query_match = excluded.query_match, is_active = excluded.is_active, note = excluded.note,
         updated_at = excluded.updated_at`,
      [this.tenantId, this.environmentId, JSON.stringify(rows)],
    );
  }

  async findOthers(siteIds: readonly string[], namedIds: readonly string[]): Promise<OtherRedirects> {
    const bind = [this.environmentId, siteIds, namedIds];
    const [total] = await this.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM redirects r WHERE ${otherRedirects}`,
      bind,
    );
    const first = await this.query<RedirectRow>(
      `SELECT ${redirectColumns} FROM redirects r WHERE ${otherRedirects} ORDER BY r.id LIMIT ${String(RECORDED)}`,
      bind,
    );
    return { count: total?.count ?? 0, first };
  }

  async removeOthers(siteIds: readonly string[], namedIds: readonly string[]): Promise<void> {
    await this.query(`DELETE FROM redirects r WHERE ${otherRedirects}`, [
      this.environmentId,
      siteIds,
      namedIds,
    ]);
  }

  note({ report, mode, changes, deleted }: ImportRecord): void {
    const { errors: _errors, dryRun: _dryRun, ...counts } = report;
    const before = [...changes.flatMap(({ before: row }) => row ?? []), ...deleted];
    const siteIds = new Set([
      ...changes.map(({ after }) => after.siteId),
      ...deleted.map((row) => row.siteId),
    ]);
    const [siteId = null] = siteIds;
    this.record({
      action: 'redirect.import',
      target: { type: 'redirect_import', id: this.bound.newId(), name: 'CSV import' },
      before: { redirects: before.slice(0, RECORDED) },
      after: { mode, ...counts, redirects: changes.slice(0, RECORDED).map(({ after }) => after) },
      siteId: siteIds.size === 1 ? siteId : null,
    });
  }
}
