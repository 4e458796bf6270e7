import { Repository } from '../../../persistence/repositories/repository.js';
import type { Scan } from './detector.js';

/** The latest hour of a key to which a rule applies: four quarters in which its calls are counted. */
export interface KeyHour {
  readonly id: string;
  readonly name: string;
  readonly from: Date;
  /** Of its last quarter. */
  readonly start: Date;
  readonly lastAt: Date;
  /** Successful ones, and failed ones that were not refused by a rate limit. */
  readonly calls: number;
  readonly errors: number;
  readonly rateLimited: number;
}

const rules = {
  /** More than 20 % of at least 20 calls failed. */
  errors: { condition: 'h.calls >= 20 AND h.errors * 5 > h.calls', column: 'errors' },
  /** At least 5 calls were refused by a rate limit. */
  refusals: { condition: 'h.rate_limited >= 5', column: 'rate_limited' },
} as const;

/** Management calls of keys in the environment, from their roll-up. */
export class KeyCallsRepository extends Repository {
  /** Looks at the hours whose last quarter has such calls and was written to since the last scan. */
  async latestHours(
    rule: keyof typeof rules,
    { since, until, limit, oldest }: Pick<Scan, 'until' | 'limit'> & { since: Date | null; oldest: Date },
  ): Promise<KeyHour[]> {
    const after = since !== null && since > oldest ? since : oldest;
    const { condition, column } = rules[rule];
    return this.query<KeyHour>(
      `WITH quarters AS (
         SELECT u.api_key_id, u.start, sum(u.calls + u.errors) AS calls, sum(u.errors) AS errors, sum(u.rate_limited) AS rate_limited,
           max(u.last_at) AS last_at
         FROM api_key_usage u WHERE u.project_id = $1 AND u.environment_id = $2 AND u.grain = 'quarter'
           AND u.start > $3::timestamptz - interval '60 minutes' AND u.start <= $4 GROUP BY 1, 2),
       hours AS (
         SELECT api_key_id, start, last_at, ${column} AS own, min(start) OVER hour AS first, (sum(calls) OVER hour)::float8 AS calls,
           (sum(errors) OVER hour)::float8 AS errors, (sum(rate_limited) OVER hour)::float8 AS rate_limited
         FROM quarters WINDOW hour AS (PARTITION BY api_key_id ORDER BY start
           RANGE BETWEEN interval '45 minutes' PRECEDING AND CURRENT ROW)),
       latest AS (SELECT DISTINCT ON (h.api_key_id) h.* FROM hours h WHERE h.last_at > $3 AND h.last_at <= $4 AND h.own > 0 AND ${condition}
         ORDER BY h.api_key_id, h.last_at DESC)
       SELECT k.id, k.name, l.first AS "from", l.start, l.last_at AS "lastAt", l.calls, l.errors, l.rate_limited AS "rateLimited"
       FROM latest l JOIN api_keys k ON k.project_id = $1 AND k.id = l.api_key_id ORDER BY l.last_at DESC, k.id LIMIT $5`,
      [this.projectId, this.environmentId, after, until, limit],
    );
  }
}
