import { AppError } from '../../../../contracts/errors.js';
import type { KeyAction, KeyType } from '../../../../contracts/access/api-keys/api-key.js';
import type { Toolset } from '../../../../contracts/rights.js';
import type { ApiKeyRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';

export type { ApiKeyRow };

export class ApiKeyRepository extends TableRepository<ApiKeyRow> {
  protected readonly table = {
    model: ({ apiKeys }: Models) => apiKeys,
    resource: 'api_key',
    notFound: () => new AppError('api_key_not_found'),
  } as const satisfies TableDefinition<ApiKeyRow>;

  countUnrevoked(): Promise<number> {
    return this.count({ revokedAt: null });
  }

  /** Excludes the time of last use, which other processes write concurrently. */
  protected override changeable({ lastUsedAt: _use, ...columns }: ApiKeyRow): Partial<ApiKeyRow> {
    return columns;
  }
}

/** A key with the columns that authentication needs. */
export interface KnownKey {
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly tenantId: string;
  readonly projectId: string;
  readonly permissions: KeyAction[];
  readonly siteIds: string[];
  readonly environmentId: string | null;
  readonly selectedEnvironmentId: string | null;
  readonly rateLimit: number | null;
  readonly ipAllowlist: string[];
  readonly isDraftOnly: boolean;
  readonly toolsets: Toolset[];
  readonly secretHash: Buffer;
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly requireConfirmation: boolean;
}

export interface KeyUse {
  readonly id: string;
  readonly tenantId: string;
  at: Date;
}

const findKey = {
  name: 'find_api_key',
  text: `SELECT id, name, type, tenant_id AS "tenantId", project_id AS "projectId", permissions, site_ids AS "siteIds",
    environment_id AS "environmentId", selected_environment_id AS "selectedEnvironmentId", rate_limit AS "rateLimit", ip_allowlist AS "ipAllowlist", draft_only AS "isDraftOnly", toolsets,
    secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
    previous_secret_expires_at AS "previousSecretExpiresAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
    require_confirmation AS "requireConfirmation"
    FROM find_api_key($1)`,
};

const saveUses = {
  name: 'note_api_key_uses',
  text: 'SELECT note_api_key_uses($1, $2, $3)',
};

/** Finds keys before the tenant is known. */
export class ApiKeyLookup {
  /** @param pool of the service role: the reader role cannot see keys */
  constructor(private readonly pool: ReadPool) {}

  async byHash(hash: Buffer): Promise<KnownKey | undefined> {
    const [key] = await this.pool.run<KnownKey>(findKey, [hash]);
    return key;
  }

  /** Saves times of last use for keys of any tenant. */
  async saveUses(uses: readonly KeyUse[]): Promise<void> {
    const columns = [
      uses.map(({ tenantId }) => tenantId),
      uses.map(({ id }) => id),
      uses.map(({ at }) => at),
    ];
    await this.pool.run(saveUses, columns);
  }
}
