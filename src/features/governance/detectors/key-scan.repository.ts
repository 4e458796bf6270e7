import { Repository } from '../../../persistence/repositories/repository.js';
import { keyHomeSql } from './subject-home.js';

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
