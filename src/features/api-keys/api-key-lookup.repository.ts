import type { KeyAction, KeyType } from '../../../contracts/resources/api-key.js';
import type { ReadPool } from '../../persistence/connections/read-pool.js';

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
  readonly rateLimit: number | null;
  readonly ipAllowlist: string[];
  readonly isDraftOnly: boolean;
  readonly secretHash: Buffer;
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly requireConfirmation: boolean;
}

/** When a key was last used. */
export interface KeyUse {
  readonly id: string;
  readonly tenantId: string;
  at: Date;
}

const findKey = {
  name: 'find_api_key',
  text: `SELECT id, name, type, tenant_id AS "tenantId", project_id AS "projectId", permissions, site_ids AS "siteIds",
    environment_id AS "environmentId", rate_limit AS "rateLimit", ip_allowlist AS "ipAllowlist", draft_only AS "isDraftOnly",
    secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
    previous_secret_expires_at AS "previousSecretExpiresAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
    require_confirmation AS "requireConfirmation"
    FROM find_api_key($1)`,
};

const saveUses = {
  name: 'note_api_key_uses',
  text: 'SELECT note_api_key_uses($1, $2, $3)',
};

/** Finds keys by the hash of their secret, before any tenant is known. */
export class ApiKeyLookup {
  /** @param pool works as the service role: the reader cannot see keys */
  constructor(private readonly pool: ReadPool) {}

  async byHash(hash: Buffer): Promise<KnownKey | undefined> {
    const [key] = await this.pool.run<KnownKey>(findKey, [hash]);
    return key;
  }

  /** Notes when keys of any tenant were last used. */
  async saveUses(uses: readonly KeyUse[]): Promise<void> {
    const columns = [
      uses.map(({ tenantId }) => tenantId),
      uses.map(({ id }) => id),
      uses.map(({ at }) => at),
    ];
    await this.pool.run(saveUses, columns);
  }
}
