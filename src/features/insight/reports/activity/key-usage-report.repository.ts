import { Repository } from '../../../../persistence/repositories/repository.js';
import { segmentsOf, type Period, type Span } from '../period/report-period.js';

export interface CallCounts {
  readonly calls: number;
  readonly reads: number;
  readonly writes: number;
  readonly errors: number;
  readonly rateLimited: number;
}

export interface BucketCalls extends CallCounts {
  /** Position in the buckets of the period. */
  readonly bucket: number;
}

export interface KeyCallCounts extends CallCounts {
  readonly apiKeyId: string;
  readonly lastAt: Date;
}

export interface NamedKey {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export interface ToolCalls {
  readonly apiKeyId: string;
  readonly tool: string;
  readonly calls: number;
}

const sums = ['calls', 'reads', 'writes', 'errors', 'rate_limited']
  .map((column) => `sum(u.${column})::float8 AS "${column === 'rate_limited' ? 'rateLimited' : column}"`)
  .join(', ');

/** Calls of keys in an environment. */
export class KeyUsageReportRepository extends Repository {
  /** Keys of the project; those limited to these sites only, unless null. */
  keys(siteIds: readonly string[] | null): Promise<NamedKey[]> {
    return this.query<NamedKey>(
      `SELECT id, name, type FROM api_keys WHERE project_id = $1
         AND ($2::uuid[] IS NULL OR (cardinality(site_ids) > 0 AND site_ids <@ $2::uuid[]))`,
      [this.projectId, siteIds],
    );
  }

  byBucket(period: Period, keyIds: readonly string[]): Promise<BucketCalls[]> {
    const { sql, bind } = this.#usage(period.buckets, keyIds);
    return this.query<BucketCalls>(`SELECT s.bucket, ${sums} ${sql} GROUP BY 1`, bind);
  }

  byKey(period: Period, keyIds: readonly string[]): Promise<KeyCallCounts[]> {
    const { sql, bind } = this.#usage([period], keyIds);
    return this.query<KeyCallCounts>(
      `SELECT u.api_key_id AS "apiKeyId", ${sums}, max(u.last_at) AS "lastAt" ${sql} GROUP BY 1`,
      bind,
    );
  }

  /** The five tools that each key called most. */
  topTools(period: Period, keyIds: readonly string[]): Promise<ToolCalls[]> {
    const { sql, bind } = this.#usage([period], keyIds);
    return this.query<ToolCalls>(
      `SELECT "apiKeyId", tool, calls FROM (
         SELECT u.api_key_id AS "apiKeyId", u.tool, sum(u.calls + u.errors)::float8 AS calls,
           row_number() OVER (PARTITION BY u.api_key_id ORDER BY sum(u.calls + u.errors) DESC, u.tool) AS rank
         ${sql} AND u.tool <> '' GROUP BY 1, 2) AS tools
       WHERE rank <= 5 ORDER BY "apiKeyId", rank`,
      bind,
    );
  }

  #usage(spans: readonly Span[], keyIds: readonly string[]): { sql: string; bind: unknown[] } {
    const segments = segmentsOf(spans);
    const bind = [
      this.projectId,
      this.environmentId,
      keyIds,
      segments.map(({ bucket }) => bucket),
      segments.map(({ grain }) => grain),
      segments.map(({ start }) => new Date(start)),
      segments.map(({ end }) => new Date(end)),
    ];
    const sql = `FROM unnest($4::int[], $5::text[], $6::timestamptz[], $7::timestamptz[]) AS s (bucket, grain, first, last)
      CROSS JOIN LATERAL (SELECT u.* FROM api_key_usage u WHERE u.project_id = $1 AND u.environment_id = $2 AND u.grain = s.grain
        AND u.start >= s.first AND u.start < s.last AND u.api_key_id = ANY($3::uuid[]) OFFSET 0) AS u WHERE true`;
    return { sql, bind };
  }
}
