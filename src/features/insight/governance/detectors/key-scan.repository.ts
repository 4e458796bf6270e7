import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Scan } from './detector.js';

/** Many actions of one actor within a short time. */
export interface Burst {
  readonly actorType: 'user' | 'api_key';
  readonly actorId: string;
  readonly actorName: string;
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
}

export interface BurstQuery {
  readonly actions: readonly string[];
  readonly windowSeconds: number;
  /** At least so many actions in the window. */
  readonly minimum: number;
  /** Only of users, at night or on weekends, in UTC. */
  readonly isOffHours?: boolean;
  readonly after: Date;
  readonly until: Date;
}

/** Before 6, from 22 on, or on a weekend. */
const offHours = ` AND actor ->> 'type' = 'user' AND (extract(isodow FROM at AT TIME ZONE 'UTC') > 5
           OR extract(hour FROM at AT TIME ZONE 'UTC') NOT BETWEEN 6 AND 21)`;

/** Actions of users and keys in the environment, from the audit records. */
export class ActivityRepository extends Repository {
  /** The latest burst of each actor whose last action is in the range. */
  async bursts({ actions, windowSeconds, minimum, isOffHours, after, until }: BurstQuery): Promise<Burst[]> {
    return this.query<Burst>(
      `SELECT DISTINCT ON (type, id) type AS "actorType", id AS "actorId", name AS "actorName", first AS "from", at AS "to", n AS count
       FROM (SELECT actor ->> 'type' AS type, (actor ->> 'id')::uuid AS id, actor ->> 'name' AS name, at,
           (count(*) OVER w)::int AS n, min(at) OVER w AS first
         FROM audit_events WHERE chain_id = $1 AND environment_id = $2 AND action = ANY($3::text[])
           AND at > $4::timestamptz - make_interval(secs => $6) AND at <= $5 AND actor ->> 'type' IN ('user', 'api_key')${isOffHours === true ? offHours : ''}
         WINDOW w AS (PARTITION BY actor ->> 'type', actor ->> 'id' ORDER BY at
           RANGE BETWEEN make_interval(secs => $6) PRECEDING AND CURRENT ROW)) AS counted
       WHERE n >= $7 AND at > $4 ORDER BY type, id, at DESC`,
      [this.projectId, this.environmentId, [...actions], after, until, windowSeconds, minimum],
    );
  }
}

/**
 * SQL condition: the row belongs to the environment `$3`. Keys bound to an environment do, everything else that all
 * environments of a project share belongs to the default one. `$1` is the tenant, `$2` the project.
 */
export const isDefaultSql = `EXISTS (SELECT FROM environment_heads h
  WHERE h.environment_id = $3 AND h.tenant_id = $1 AND h.project_id = $2 AND h.is_default)`;

const keyHomeSql = `CASE WHEN k.environment_id IS NULL THEN ${isDefaultSql} ELSE k.environment_id = $3 END`;

export interface ScannedKey {
  readonly id: string;
  readonly name: string;
  readonly type: 'delivery' | 'preview' | 'management';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

const columns = `k.id, k.name, k.type, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  k.last_used_at AS "lastUsedAt"`;

interface KeyQuery {
  readonly now: Date;
  readonly limit: number;
}

/** Active keys that belong to the environment. */
export class KeyScanRepository extends Repository {
  /** Those that never expire and open more than published content. */
  async withoutExpiry(query: KeyQuery): Promise<ScannedKey[]> {
    return this.#keys("k.expires_at IS NULL AND k.type <> 'delivery'", query, []);
  }

  /**
   * Those with an empty list of permissions that were used over MCP, in whatever environment. The roll-up of calls has reads
   * and failures, which leave no audit record.
   */
  async unrestrictedOfAgents(query: KeyQuery): Promise<ScannedKey[]> {
    const agents = `SELECT u.api_key_id FROM api_key_usage u
      WHERE u.project_id = $2 AND u.grain = 'day' AND u.surface = 'mcp'`;
    return this.#keys(`k.type <> 'delivery' AND k.permissions = '{}' AND k.id IN (${agents})`, query, []);
  }

  /** Those that were last used, or else created, before a time. */
  async unusedSince(before: Date, query: KeyQuery): Promise<ScannedKey[]> {
    return this.#keys('coalesce(k.last_used_at, k.created_at) < $6', query, [before]);
  }

  async expiringBefore(end: Date, query: KeyQuery): Promise<ScannedKey[]> {
    return this.#keys('k.expires_at < $6', query, [end]);
  }

  #keys(condition: string, { now, limit }: KeyQuery, values: readonly unknown[]): Promise<ScannedKey[]> {
    return this.query<ScannedKey>(
      `SELECT ${columns} FROM api_keys k WHERE k.tenant_id = $1 AND k.project_id = $2 AND ${keyHomeSql}
         AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $4) AND ${condition}
       ORDER BY k.created_at DESC, k.id DESC LIMIT $5`,
      [this.tenantId, this.projectId, this.environmentId, now, limit, ...values],
    );
  }
}

/** A key with addresses that are new to it. */
interface NewAddresses {
  readonly id: string;
  readonly name: string;
  /** The latest first, at most 20. */
  readonly addresses: readonly { address: string; since: string; lastAt: string; calls: number }[];
  readonly count: number;
  readonly latestAt: Date;
}

interface AddressQuery {
  /** Keys with an address that is new since then. */
  readonly after: Date;
  readonly until: Date;
  /** Addresses that are new since then. */
  readonly oldest: Date;
  readonly limit: number;
}

/** Calls of a key before an address can be new to it. */
const KNOWN_CALLS = 20;

/** Addresses of keys that belong to the environment. */
export class KeyAddressScanRepository extends Repository {
  async newAddresses({ after, until, oldest, limit }: AddressQuery): Promise<NewAddresses[]> {
    return this.query<NewAddresses>(
      `WITH ranked AS (
         SELECT a.*, row_number() OVER (PARTITION BY a.api_key_id ORDER BY a.since DESC, a.address) AS place,
           count(*) OVER (PARTITION BY a.api_key_id) AS addresses, max(a.since) OVER (PARTITION BY a.api_key_id) AS latest
         FROM api_key_addresses a WHERE a.project_id = $2 AND a.since > $4 AND a.since <= $5 AND a.prior_calls >= ${String(KNOWN_CALLS)})
       SELECT k.id, k.name, max(r.addresses)::int AS count, max(r.latest) AS "latestAt",
         jsonb_agg(jsonb_build_object('address', r.address, 'since', r.since, 'lastAt', r.last_at, 'calls', r.calls) ORDER BY r.place)
           AS addresses
       FROM ranked r JOIN api_keys k ON k.tenant_id = $1 AND k.project_id = $2 AND k.id = r.api_key_id AND ${keyHomeSql}
       WHERE r.place <= 20 AND r.latest > $6 GROUP BY k.id, k.name ORDER BY max(r.latest) DESC, k.id LIMIT $7`,
      [this.tenantId, this.projectId, this.environmentId, oldest, until, after, limit],
    );
  }
}

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
