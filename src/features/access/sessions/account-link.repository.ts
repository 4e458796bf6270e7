import { limits } from '../../../../contracts/limits.js';
import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { hashOfToken, newToken } from '../../../infrastructure/ids.js';

const seconds = { reset: limits.passwordResetSeconds, invitation: limits.invitationSeconds } as const;

export interface NewLink {
  readonly tenantId: string;
  readonly userId: string;
  readonly kind: keyof typeof seconds;
  /** Of the invitation. */
  readonly projectId?: string | undefined;
}

export interface LinkAccount {
  readonly kind: keyof typeof seconds;
  readonly email: string;
  readonly name: string;
  readonly tenantName: string;
}

interface StoredLink extends Pick<LinkAccount, 'kind'> {
  readonly userId: string;
  readonly reason: 'used' | 'replaced' | 'revoked' | 'expired' | null;
}

export interface ResetAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly tenantId: string;
  readonly tenantName: string;
}

const PRUNE_DAYS = 30;
const REQUESTS_AT_ONCE = 50;
/** Accounts of one address that get a mail for one request. */
const ACCOUNTS = 20;

/** Tokens that set a password once, of resets and invitations. Only hashes are stored. */
export class PasswordResetRepository extends Repository {
  /** Replaces the account's earlier token. */
  async issue({
    tenantId,
    userId,
    kind,
    projectId,
  }: NewLink): Promise<{ resetToken: string; expiresAt: Date }> {
    const { now } = this.bound;
    const resetToken = newToken('hwt_');
    const expiresAt = new Date(now.getTime() + seconds[kind] * 1000);
    await this.end(userId, 'replaced');
    await this.query(
      `INSERT INTO password_resets (tenant_id, user_id, kind, project_id, token_hash, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [tenantId, userId, kind, projectId ?? null, hashOfToken(resetToken), now, expiresAt],
    );
    return { resetToken, expiresAt };
  }

  /**
   * Ends the token. Needs a platform scope.
   * @returns the id of the account
   * @throws AppError 401 `invalid_reset_token` with the reason
   */
  async spend(resetToken: string): Promise<string> {
    const { userId } = await this.#working(resetToken, 'FOR UPDATE OF r');
    await this.end(userId, 'used');
    return userId;
  }

  /**
   * Whose link it is; it stays as it is. Needs a platform scope.
   * @throws AppError 401 `invalid_reset_token` with the reason
   */
  async read(resetToken: string): Promise<LinkAccount> {
    const { userId, kind } = await this.#working(resetToken, '');
    const [account] = await this.query<Omit<LinkAccount, 'kind'>>(
      `SELECT u.email, u.name, t.name AS "tenantName" FROM users u JOIN tenants t ON t.id = u.tenant_id
       WHERE u.id = $1 AND u.status <> 'suspended'`,
      [userId],
    );
    if (account === undefined) throw new AppError('invalid_reset_token', { reason: 'revoked' });
    return { kind, ...account };
  }

  /** @throws AppError 401 `invalid_reset_token` with the reason */
  async #working(resetToken: string, lock: '' | 'FOR UPDATE OF r'): Promise<StoredLink> {
    const [link] = await this.query<StoredLink>(
      `SELECT r.user_id AS "userId", r.kind, CASE WHEN r.end_reason IS NOT NULL THEN r.end_reason
           WHEN r.expires_at <= $2 THEN 'expired'
           WHEN r.kind = 'invitation' AND r.project_id IS NOT NULL AND NOT EXISTS (
             SELECT FROM members m WHERE m.tenant_id = r.tenant_id
               AND m.project_id = r.project_id AND m.user_id = r.user_id AND NOT m.is_suspended) THEN 'revoked' END AS reason
       FROM password_resets r WHERE r.token_hash = $1 ${lock}`,
      [hashOfToken(resetToken), this.bound.now],
    );
    const reason = link === undefined ? 'unknown' : link.reason;
    if (link === undefined || reason !== null) throw new AppError('invalid_reset_token', { reason });
    return link;
  }

  /** Ends the token of the account that works, if any. */
  async end(userId: string, reason: 'used' | 'replaced' | 'revoked'): Promise<void> {
    await this.query('UPDATE password_resets SET end_reason = $2 WHERE user_id = $1 AND end_reason IS NULL', [
      userId,
      reason,
    ]);
  }

  /** The same statements and record for every address. Needs a platform scope. */
  async request(email: string, tenantSlug: string | null): Promise<void> {
    const id = this.bound.newId();
    this.record({
      action: 'user.password_reset_request',
      target: { type: 'user', id, name: email },
      before: null,
      after: { tenantSlug },
    });
    await this.query(
      'INSERT INTO password_requests (id, email, tenant_slug, created_at) VALUES ($1, $2, $3, $4)',
      [id, email, tenantSlug, this.bound.now],
    );
  }

  /** Takes requests from their queue; repeated ones count once. */
  async takeRequests(): Promise<{ email: string; tenantSlug: string | null }[]> {
    return this.query(
      `WITH taken AS (DELETE FROM password_requests WHERE id IN
           (SELECT id FROM password_requests ORDER BY id LIMIT ${String(REQUESTS_AT_ONCE)} FOR UPDATE SKIP LOCKED)
         RETURNING lower(email) AS email, tenant_slug)
       SELECT DISTINCT email, tenant_slug AS "tenantSlug" FROM taken`,
    );
  }

  /** Accounts of the address that log in with a password. */
  async accounts({
    email,
    tenantSlug,
  }: {
    email: string;
    tenantSlug: string | null;
  }): Promise<ResetAccount[]> {
    return this.query<ResetAccount>(
      `SELECT u.id, u.email, u.name, u.tenant_id AS "tenantId", t.name AS "tenantName"
       FROM users u JOIN tenants t ON t.id = u.tenant_id AND t.status = 'active'
       WHERE lower(u.email) = $1 AND u.status = 'active' AND u.password_hash IS NOT NULL
         AND ($2::text IS NULL OR t.slug = $2)
         AND NOT EXISTS (SELECT FROM sign_ons s WHERE s.tenant_id = u.tenant_id AND NOT s.allows_passwords)
       ORDER BY u.created_at, u.id LIMIT ${String(ACCOUNTS)}`,
      [email, tenantSlug],
    );
  }

  noteRequest({ id, email, tenantId }: ResetAccount, expiresAt: Date): void {
    this.record({
      action: 'user.password_reset_request',
      target: { type: 'user', id, name: email },
      before: null,
      after: { expiresAt: expiresAt.toISOString() },
      tenantId,
    });
  }

  /** Deletes what expired 30 days ago. */
  async prune(): Promise<void> {
    await this.query(
      `DELETE FROM password_resets WHERE expires_at < $1::timestamptz - interval '${String(PRUNE_DAYS)} days'`,
      [this.bound.now],
    );
  }
}
