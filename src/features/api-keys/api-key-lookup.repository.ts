import type { KeyAction, KeyType } from '../../../contracts/resources/api-key.js';
import type { ReadPool } from '../../persistence/read-pool.js';

/** A key as the gate needs it. */
export interface KnownKey {
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly tenantId: string;
  readonly projectId: string;
  readonly permissions: KeyAction[];
  readonly siteIds: string[];
  readonly environmentId: string | null;
  readonly secretHash: Buffer;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly requireConfirmation: boolean;
}

const findKey = {
  name: 'find_api_key',
  text: `SELECT id, name, type, tenant_id AS "tenantId", project_id AS "projectId", permissions, site_ids AS "siteIds",
    environment_id AS "environmentId", secret_hash AS "secretHash", expires_at AS "expiresAt", revoked_at AS "revokedAt",
    require_confirmation AS "requireConfirmation"
    FROM find_api_key($1)`,
};

/** Finds keys by the hash of their secret, before any tenant is known. */
export class ApiKeyLookup {
  /** @param pool works as the service role: the reader cannot see keys */
  constructor(private readonly pool: ReadPool) {}

  async byHash(hash: Buffer): Promise<KnownKey | undefined> {
    const [key] = await this.pool.run<KnownKey>(findKey, [hash]);
    return key;
  }
}
