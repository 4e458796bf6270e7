import { AppError } from '../../../../contracts/errors.js';
import type { KeyAction, KeyType } from '../../../../contracts/access/api-keys/api-key.js';
import type { Toolset } from '../../../../contracts/rights.js';
import type { ApiKeyRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { Repository } from '../../../persistence/repositories/repository.js';

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

/** Calls with one key from one address. */
export interface AddressCalls {
  readonly tenantId: string;
  readonly projectId: string;
  readonly apiKeyId: string;
  readonly address: string;
  calls: number;
  readonly firstAt: Date;
  lastAt: Date;
}

/** Of an address without calls; older ones are new when they come back. */
const QUIET = "interval '30 days'";
/** Rows with a call each, so that as many calls are counted as any rule asks for. */
const ROWS = 20;
const DAYS = 400;

const priorCalls = (
  key: string,
): string => `(SELECT coalesce(sum(calls), 0) FROM (SELECT p.calls FROM api_key_addresses p
  WHERE p.project_id = ${key}.project_id AND p.api_key_id = ${key}.api_key_id LIMIT ${String(ROWS)}) AS prior)`;

/** Addresses of keys of any tenant. Needs a platform scope. */
export class KeyAddressRepository extends Repository {
  /** Earlier calls are looked for only if the address is new. */
  async add(calls: readonly AddressCalls[]): Promise<void> {
    await this.query(
      `WITH given AS (
         SELECT "tenantId" AS tenant_id, "projectId" AS project_id, "apiKeyId" AS api_key_id, address, min("firstAt") AS first_at,
           max("lastAt") AS last_at, sum(calls) AS calls
         FROM jsonb_to_recordset($1::jsonb) AS c ("tenantId" uuid, "projectId" uuid, "apiKeyId" uuid, address text, calls bigint,
           "firstAt" timestamptz, "lastAt" timestamptz)
         GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4)
       INSERT INTO api_key_addresses AS a (tenant_id, project_id, api_key_id, address, since, last_at, calls, prior_calls)
         SELECT g.tenant_id, g.project_id, g.api_key_id, g.address, g.first_at, g.last_at, g.calls,
           CASE WHEN EXISTS (SELECT FROM api_key_addresses k WHERE k.project_id = g.project_id AND k.api_key_id = g.api_key_id
             AND k.address = g.address) THEN 0 ELSE ${priorCalls('g')} END
         FROM given g
       ON CONFLICT (project_id, api_key_id, address) DO UPDATE
         SET calls = a.calls + excluded.calls, last_at = greatest(a.last_at, excluded.last_at),
           since = CASE WHEN excluded.since > a.last_at + ${QUIET} THEN excluded.since ELSE a.since END,
           prior_calls = CASE WHEN excluded.since > a.last_at + ${QUIET} THEN ${priorCalls('a')} ELSE a.prior_calls END`,
      [JSON.stringify(calls)],
    );
  }

  /** As long as the records of what was done from them. */
  async prune(): Promise<void> {
    await this.query(
      `DELETE FROM api_key_addresses WHERE last_at < $1::timestamptz - interval '${String(DAYS)} days'`,
      [this.bound.now],
    );
  }
}

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
  /** The user whom the key of an OAuth client acts for. */
  readonly holderId: string | null;
  /** The tenant requires a second factor, which the holder has not set up. */
  readonly needsSecondFactor: boolean;
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
    require_confirmation AS "requireConfirmation",
    CASE WHEN oauth_client_id IS NOT NULL THEN created_by ->> 'id' END AS "holderId",
    CASE WHEN oauth_client_id IS NULL THEN false ELSE lacks_second_factor((created_by ->> 'id')::uuid) END AS "needsSecondFactor"
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
