import {
  emptySearchBounds,
  type EmptySearches,
  type SearchSource,
} from '../../../../../contracts/insight/reports/report.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Span } from '../period/report-period.js';
import { inScope, type ReportFilter } from '../report-scope.js';

/** Stands for no single site. */
export const NO_SITE = '00000000-0000-0000-0000-000000000000';

/** Searches of one query on one day that found nothing. */
export interface EmptySearchCount {
  readonly tenantId: string;
  readonly environmentId: string;
  /** In UTC, such as `2027-01-31`. */
  readonly day: string;
  readonly source: SearchSource;
  readonly siteId: string;
  /** Empty: no single one. */
  readonly locale: string;
  readonly query: string;
  searches: number;
  lastAt: Date;
}

const key = 'environment_id, day, source, site_id, locale, query';

/** Adds queries of any tenant. Needs a platform scope. */
export class EmptySearchCountRepository extends Repository {
  /** Leaves out environments that are gone. Of each day, the most frequent queries remain. */
  async add(counts: readonly EmptySearchCount[]): Promise<void> {
    await this.query(
      `INSERT INTO empty_searches AS e (tenant_id, ${key}, searches, last_at)
       SELECT c."tenantId", c."environmentId", c.day, c.source, c."siteId", c.locale, c.query, sum(c.searches), max(c."lastAt")
       FROM jsonb_to_recordset($1::jsonb) AS c ("tenantId" uuid, "environmentId" uuid, day date, source text, "siteId" uuid,
           locale text, query text, searches bigint, "lastAt" timestamptz)
         JOIN environment_heads h ON h.environment_id = c."environmentId"
       GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 2, 3, 4, 5, 6, 7
       ON CONFLICT (${key}) DO UPDATE SET searches = e.searches + excluded.searches, last_at = greatest(e.last_at, excluded.last_at)`,
      [JSON.stringify(counts)],
    );
    const days = new Map(
      counts.map(({ environmentId, day }) => [`${environmentId} ${day}`, [environmentId, day]]),
    );
    await this.query(
      `DELETE FROM empty_searches e USING (
         SELECT ${key}, row_number() OVER (PARTITION BY environment_id, day ORDER BY searches DESC, last_at DESC, query) AS place
         FROM empty_searches WHERE (environment_id, day) IN (SELECT * FROM unnest($1::uuid[], $2::date[]))) AS r
       WHERE r.place > ${String(emptySearchBounds.perDay)} AND e.environment_id = r.environment_id AND e.day = r.day
         AND e.source = r.source AND e.site_id = r.site_id AND e.locale = r.locale AND e.query = r.query`,
      [[...days.values()].map(([id]) => id), [...days.values()].map(([, day]) => day)],
    );
  }

  async prune(): Promise<void> {
    await this.query(`DELETE FROM empty_searches WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int`, [
      emptySearchBounds.days,
    ]);
  }
}

interface EmptySearchQuery {
  readonly period: Span;
  readonly filter: ReportFilter;
  readonly source: SearchSource | null;
  readonly limit: number;
  readonly offset: number;
}

type EmptySearchPage = Pick<EmptySearches, 'rows'> & EmptySearches['summary'];

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Queries of the environment that the caller may read. */
export class EmptySearchReportRepository extends Repository {
  async list({ period, filter, source, limit, offset }: EmptySearchQuery): Promise<EmptySearchPage> {
    const bound: unknown[] = [this.environmentId, dayOf(period.start), dayOf(period.end), source, NO_SITE];
    const bind = (value: unknown): string => `$${String(bound.push(value))}`;
    const place = { site: 'e.site_id', locale: 'e.locale', type: 'NULL::uuid' };
    const order = 'searches DESC, last_at DESC, query, source, locale, site_id';
    const [row] = await this.query<EmptySearchPage>(
      `WITH found AS (
         SELECT e.query, e.source, e.locale, e.site_id, sum(e.searches)::float8 AS searches, max(e.last_at) AS last_at
         FROM empty_searches e WHERE e.environment_id = $1 AND e.day >= $2::date AND e.day < $3::date
           AND ($4::text IS NULL OR e.source = $4) AND ${inScope(this.bound.scope, filter, { place, bind })}
         GROUP BY 1, 2, 3, 4)
       SELECT (SELECT count(*)::int FROM found) AS queries, (SELECT coalesce(sum(searches), 0)::float8 FROM found) AS searches,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('query', query, 'source', source, 'locale', nullif(locale, ''),
             'siteId', nullif(site_id, $5::uuid), 'searches', searches, 'lastAt', last_at) ORDER BY ${order}), '[]')
            FROM (SELECT * FROM found ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)}) AS page) AS rows`,
      bound,
    );
    return row ?? { queries: 0, searches: 0, rows: [] };
  }
}
