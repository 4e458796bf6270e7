import { Repository } from '../../persistence/repositories/repository.js';

/** Calls of one key in one quarter of an hour. */
export interface KeyCalls {
  readonly tenantId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly apiKeyId: string;
  readonly surface: string;
  /** MCP tool, else empty. */
  readonly tool: string;
  /** Of the quarter. */
  readonly start: Date;
  reads: number;
  writes: number;
  errors: number;
  rateLimited: number;
  lastAt: Date;
}

/** Adds calls of keys of any tenant. Needs a platform scope. */
export class KeyUsageRepository extends Repository {
  async add(calls: readonly KeyCalls[]): Promise<void> {
    await this.query(
      `INSERT INTO api_key_usage AS u (tenant_id, project_id, environment_id, grain, start, api_key_id, surface, tool, calls, reads,
           writes, errors, rate_limited, last_at)
         SELECT c."tenantId", c."projectId", c."environmentId", g.grain, g.start, c."apiKeyId", c.surface, c.tool,
           sum(c.reads + c.writes), sum(c.reads), sum(c.writes), sum(c.errors), sum(c."rateLimited"), max(c."lastAt")
         FROM jsonb_to_recordset($1::jsonb) AS c ("tenantId" uuid, "projectId" uuid, "environmentId" uuid, start timestamptz,
             "apiKeyId" uuid, surface text, tool text, reads bigint, writes bigint, errors bigint, "rateLimited" bigint, "lastAt" timestamptz)
           CROSS JOIN LATERAL (VALUES ('quarter', c.start), ('day', date_bin('1 day', c.start, 'epoch'))) AS g (grain, start)
         GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 2, 3, 4, 5, 6, 7, 8
       ON CONFLICT (project_id, environment_id, grain, start, api_key_id, surface, tool) DO UPDATE
         SET calls = u.calls + excluded.calls, reads = u.reads + excluded.reads, writes = u.writes + excluded.writes,
           errors = u.errors + excluded.errors, rate_limited = u.rate_limited + excluded.rate_limited,
           last_at = greatest(u.last_at, excluded.last_at)`,
      [JSON.stringify(calls)],
    );
  }
}
