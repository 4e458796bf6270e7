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

  /** Those that permit everything and were used over MCP. */
  async unrestrictedOfAgents(query: KeyQuery): Promise<ScannedKey[]> {
    const usedByAgent = `EXISTS (SELECT FROM audit_events a WHERE a.chain_id = $2 AND a.actor ->> 'id' = k.id::text
        AND a.context ->> 'interface' = 'mcp')`;
    const condition = `k.type = 'management' AND k.permissions = '{}' AND NOT k.draft_only AND ${usedByAgent}`;
    return this.#keys(condition, query, []);
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
