import { limits } from '../../../../contracts/limits.js';
import type { Toolset } from '../../../../contracts/rights.js';
import { hashOfToken } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';

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
