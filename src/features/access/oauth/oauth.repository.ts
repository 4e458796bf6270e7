import { limits } from '../../../../contracts/limits.js';
import type { Toolset } from '../../../../contracts/rights.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { hashOfToken } from '../../../infrastructure/ids.js';
import { Repository, type PageQuery } from '../../../persistence/repositories/repository.js';
import { addressOf, type AddressRow } from '../../../persistence/work/unit-of-work.js';

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: Date;
}

export interface NewRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly codeChallenge: string;
  /** Of the resource that the client named. */
  readonly projectSlug: string | null;
}

export interface OpenRequest extends Omit<NewRequest, 'codeChallenge'> {
  readonly id: string;
  readonly clientName: string;
  readonly expiresAt: Date;
}

/** What a user has permitted. */
export interface Choice {
  readonly projectSlug: string;
  readonly toolsets: Toolset[];
  readonly siteIds: readonly string[];
  readonly draftOnly: boolean;
  readonly expiresAt: string;
}

export interface Approval {
  readonly tenantId: string;
  readonly choice: Choice;
  readonly code: string;
}

/** A code that has not expired, used or not. */
export interface KnownCode {
  readonly requestId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly userId: string;
  readonly choice: Choice;
  readonly apiKeyId: string | null;
}

/** A client with keys of the calling user that work. */
export interface ConnectionRow {
  readonly id: string;
  readonly clientName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly keys: readonly {
    readonly id: string;
    readonly project: { readonly id: string; readonly slug: string; readonly name: string };
    readonly toolsets: Toolset[];
    readonly siteIds: string[];
    readonly draftOnly: boolean;
    /** As PostgreSQL writes times in JSON. */
    readonly createdAt: string;
    readonly expiresAt: string | null;
    readonly lastUsedAt: string | null;
  }[];
}

export interface EndedKey extends AddressRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Of the user `$1` at the time `$2`. */
const activeKeys = `k.created_by ->> 'id' = $1 AND k.oauth_client_id IS NOT NULL AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > $2)`;
const keyJson = `jsonb_build_object('id', k.id, 'project', jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name),
  'toolsets', k.toolsets, 'siteIds', k.site_ids, 'draftOnly', k.draft_only, 'createdAt', k.created_at,
  'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at)`;

const CLIENT_DAYS = { waiting: 7, approved: 800 } as const;
/** Used codes are known for a day, so that using one again ends its key. */
const CODE_DAYS = 1;

/** Clients, requests and codes of OAuth. Needs a platform scope, except {@link OAuthRepository.spend}. */
export class OAuthRepository extends Repository {
  /** Of those that no user has approved, the oldest give way. */
  async register(client: Omit<OAuthClient, 'createdAt'>): Promise<void> {
    await this.query(
      'INSERT INTO oauth_clients (id, name, redirect_uris, created_at) VALUES ($1, $2, $3, $4)',
      [client.id, client.name, client.redirectUris, this.bound.now],
    );
    await this.query(
      `DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients WHERE approved_at IS NULL
         ORDER BY created_at DESC, id DESC OFFSET ${String(limits.oauthWaitingClients)})`,
    );
  }

  async client(id: string): Promise<OAuthClient | undefined> {
    const [client] = await this.query<OAuthClient>(
      `SELECT id, name, redirect_uris AS "redirectUris", created_at AS "createdAt" FROM oauth_clients WHERE id = $1`,
      [id],
    );
    return client;
  }

  async open(id: string, request: NewRequest): Promise<void> {
    await this.query(
      `INSERT INTO oauth_requests (id, client_id, redirect_uri, state, code_challenge, project_slug, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz, $7::timestamptz + make_interval(secs => $8))`,
      [
        id,
        request.clientId,
        request.redirectUri,
        request.state,
        request.codeChallenge,
        request.projectSlug,
        this.bound.now,
        limits.oauthRequestSeconds,
      ],
    );
  }

  /** Undefined if it is unknown, has expired or was decided. */
  async waiting(id: string, lock: '' | 'FOR UPDATE OF r' = ''): Promise<OpenRequest | undefined> {
    const [request] = await this.query<OpenRequest>(
      `SELECT r.id, r.client_id AS "clientId", c.name AS "clientName", r.redirect_uri AS "redirectUri", r.state,
         r.project_slug AS "projectSlug", r.expires_at AS "expiresAt"
       FROM oauth_requests r JOIN oauth_clients c ON c.id = r.client_id
       WHERE r.id = $1 AND r.decided_at IS NULL AND r.expires_at > $2 ${lock}`,
      [id, this.bound.now],
    );
    return request;
  }

  async refuse({ id }: OpenRequest): Promise<void> {
    await this.query('UPDATE oauth_requests SET decided_at = $2 WHERE id = $1', [id, this.bound.now]);
  }

  async approve({ id, clientId }: OpenRequest, { tenantId, choice, code }: Approval): Promise<void> {
    const { now, scope } = this.bound;
    await this.query(
      `UPDATE oauth_requests SET decided_at = $2, expires_at = $2::timestamptz + make_interval(secs => $3),
         tenant_id = $4, user_id = $5, choice = $6, code_hash = $7 WHERE id = $1`,
      [id, now, limits.oauthCodeSeconds, tenantId, scope.actor.id, JSON.stringify(choice), hashOfToken(code)],
    );
    await this.query('UPDATE oauth_clients SET approved_at = $2 WHERE id = $1', [clientId, now]);
  }

  note(
    verb: 'client_approve' | 'client_refuse',
    { clientId, clientName }: OpenRequest,
    choice?: Choice,
  ): void {
    const { id, name } = this.bound.scope.actor;
    this.record({
      action: `user.${verb}`,
      target: { type: 'user', id: id ?? '', name },
      before: null,
      after: { clientId, clientName, ...choice },
    });
  }

  /** Of the client. A code that was used is found until a day after its expiry. */
  async code(clientId: string, code: string): Promise<KnownCode | undefined> {
    const [known] = await this.query<KnownCode>(
      `SELECT r.id AS "requestId", c.name AS "clientName", r.redirect_uri AS "redirectUri",
         r.code_challenge AS "codeChallenge", r.user_id AS "userId", r.choice, r.api_key_id AS "apiKeyId"
       FROM oauth_requests r JOIN oauth_clients c ON c.id = r.client_id
       WHERE r.code_hash = $1 AND r.client_id = $2 AND (r.expires_at > $3 OR r.api_key_id IS NOT NULL)`,
      [hashOfToken(code), clientId, this.bound.now],
    );
    return known;
  }

  /** Once. Needs the scope of the project. @returns false if the code was used or has expired since */
  async spend(requestId: string, apiKeyId: string): Promise<boolean> {
    const spent = await this.query(
      `UPDATE oauth_requests SET api_key_id = $2 WHERE id = $1 AND api_key_id IS NULL AND expires_at > $3 RETURNING 1`,
      [requestId, apiKeyId, this.bound.now],
    );
    return spent.length > 0;
  }

  async connections({ orderBy, page, limit }: PageQuery): Promise<Page<ConnectionRow>> {
    const bind = [this.bound.scope.actor.id, this.bound.now];
    const [key, direction] = orderBy.split(':');
    const way = direction === 'desc' ? 'DESC' : 'ASC';
    const order = `${key === 'lastUsedAt' ? 'max(k.last_used_at)' : 'min(k.created_at)'} ${way} NULLS LAST`;
    const [count] = await this.query<{ total: number }>(
      `SELECT count(DISTINCT k.oauth_client_id)::int AS total FROM api_keys k WHERE ${activeKeys}`,
      bind,
    );
    const items = await this.query<ConnectionRow>(
      `SELECT k.oauth_client_id AS id, coalesce(c.name, max(k.name)) AS "clientName", min(k.created_at) AS "createdAt",
         max(k.last_used_at) AS "lastUsedAt", jsonb_agg(${keyJson} ORDER BY k.created_at DESC, k.id DESC) AS keys
       FROM api_keys k JOIN projects p ON p.tenant_id = k.tenant_id AND p.id = k.project_id
         LEFT JOIN oauth_clients c ON c.id = k.oauth_client_id
       WHERE ${activeKeys} GROUP BY k.oauth_client_id, c.name
       ORDER BY ${order}, k.oauth_client_id ${way} LIMIT $3 OFFSET $4`,
      [...bind, limit, (page - 1) * limit],
    );
    return { items, total: count?.total ?? 0 };
  }

  /** Codes first: an exchange at the same time either finds its code expired, or its key is found here. */
  async endKeys(clientId: string): Promise<EndedKey[]> {
    const { now, scope } = this.bound;
    await this.query(
      `UPDATE oauth_requests SET expires_at = decided_at
       WHERE client_id = $1 AND user_id = $2 AND code_hash IS NOT NULL AND api_key_id IS NULL`,
      [clientId, scope.actor.id],
    );
    return this.query<EndedKey>(
      `WITH ended AS (UPDATE api_keys k SET revoked_at = $2, updated_at = $2
         WHERE ${activeKeys} AND k.oauth_client_id = $3 RETURNING k.tenant_id, k.project_id, k.id, k.name, k.type)
       SELECT e.id, e.name, e.type, e.tenant_id AS "tenantId", e.project_id AS "projectId", h.project_slug AS "projectSlug",
         h.environment_id AS "environmentId", h.environment_slug AS "environmentSlug"
       FROM ended e JOIN environment_heads h ON h.project_id = e.project_id AND h.is_default ORDER BY e.id`,
      [scope.actor.id, now, clientId],
    );
  }

  /** One record of the account, and one of each key in its project. */
  noteEnd(client: Pick<OAuthClient, 'id' | 'name'>, keys: readonly EndedKey[]): void {
    const { scope, now } = this.bound;
    this.record({
      action: 'user.client_end',
      target: { type: 'user', id: scope.actor.id ?? '', name: scope.actor.name },
      before: { clientId: client.id, clientName: client.name, apiKeyIds: keys.map(({ id }) => id) },
      after: null,
    });
    for (const key of keys)
      this.record({
        action: 'api_key.revoke',
        target: { type: 'api_key', id: key.id, name: key.name },
        before: { revokedAt: null },
        after: { revokedAt: now.toISOString() },
        address: addressOf(key),
        isAlong: true,
      });
  }

  async projectSlug(projectId: string): Promise<string | undefined> {
    const [project] = await this.query<{ slug: string }>('SELECT slug FROM projects WHERE id = $1', [
      projectId,
    ]);
    return project?.slug;
  }

  async prune(): Promise<void> {
    const { now } = this.bound;
    await this.query(
      'DELETE FROM oauth_requests WHERE expires_at < $1::timestamptz - make_interval(days => $2)',
      [now, CODE_DAYS],
    );
    await this.query(
      `DELETE FROM oauth_clients WHERE approved_at < $1::timestamptz - make_interval(days => $2)
         OR (approved_at IS NULL AND created_at < $1::timestamptz - make_interval(days => $3))`,
      [now, CLIENT_DAYS.approved, CLIENT_DAYS.waiting],
    );
  }
}
