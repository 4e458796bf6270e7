import { Repository } from '../../../persistence/repositories/repository.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { createHash } from 'node:crypto';
import { limits } from '../../../../contracts/limits.js';
import { randomSecretBytes } from '../../../infrastructure/ids.js';

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** When the token was exchanged. */
  readonly usedAt: Date | null;
}

/** Needs a platform scope. */
export class SessionRepository extends Repository {
  async open(session: {
    id: string;
    userId: string;
    tenantId: string | null;
    expiresAt: Date;
  }): Promise<void> {
    const { id, userId, tenantId, expiresAt } = session;
    await this.query(
      'INSERT INTO sessions (tenant_id, id, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [tenantId, id, userId, this.bound.now, expiresAt],
    );
  }

  async addToken(sessionId: string, tokenHash: Buffer): Promise<void> {
    await this.query(
      `INSERT INTO refresh_tokens (tenant_id, token_hash, session_id, created_at)
       SELECT tenant_id, $2, id, $3 FROM sessions WHERE id = $1`,
      [sessionId, tokenHash, this.bound.now],
    );
  }

  /** Locks the session of a token until the end of the transaction. */
  async lockByToken(tokenHash: Buffer): Promise<SessionRow | undefined> {
    const [row] = await this.query<SessionRow>(
      `SELECT s.id, s.user_id AS "userId", s.expires_at AS "expiresAt", s.revoked_at AS "revokedAt", t.used_at AS "usedAt"
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.token_hash = $1 FOR UPDATE OF s, t`,
      [tokenHash],
    );
    return row;
  }

  /** Exchanges a token and extends the session. */
  async rotate(session: SessionRow, tokens: { used: Buffer; next: Buffer; expiresAt: Date }): Promise<void> {
    await this.query('UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1', [
      tokens.used,
      this.bound.now,
    ]);
    await this.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [session.id, tokens.expiresAt]);
    await this.addToken(session.id, tokens.next);
  }

  async end(session: SessionRow): Promise<void> {
    await this.query('UPDATE sessions SET revoked_at = $2 WHERE id = $1', [session.id, this.bound.now]);
  }

  async endAll(userId: string): Promise<void> {
    await this.query('UPDATE sessions SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL', [
      userId,
      this.bound.now,
    ]);
  }

  /** Deletes sessions whose tokens have all expired. */
  async prune(): Promise<void> {
    await this.query("DELETE FROM sessions WHERE expires_at < $1::timestamptz - interval '1 day'", [
      this.bound.now,
    ]);
  }

  note(action: 'session.refresh' | 'session.end' | 'session.reuse', session: SessionRow): void {
    this.record({
      action,
      target: { type: 'user', id: session.userId, name: session.userId },
      before: null,
      after: { sessionId: session.id },
    });
  }
}

const isEnded = { name: 'is_session_ended', text: 'SELECT is_session_ended($1) AS "isEnded"' };

/** Finds sessions that ended before their tokens expired. */
export class SessionLookup {
  /** @param pool of the service role */
  constructor(private readonly pool: ReadPool) {}

  async isEnded(sessionId: string): Promise<boolean> {
    const [row] = await this.pool.run<{ isEnded: boolean }>(isEnded, [sessionId]);
    return row?.isEnded === true;
  }
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Tokens that set a new password once. Only hashes are stored. */
export class PasswordResetRepository extends Repository {
  /** Replaces the account's earlier token. Needs the scope of a tenant. */
  async issue(userId: string): Promise<{ resetToken: string; expiresAt: Date }> {
    const { now } = this.bound;
    const resetToken = `hwt_${Buffer.from(randomSecretBytes()).toString('hex')}`;
    const expiresAt = new Date(now.getTime() + limits.passwordResetSeconds * 1000);
    await this.query(
      `INSERT INTO password_resets (tenant_id, user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (user_id) DO UPDATE
         SET token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
      [this.tenantId, userId, hashOf(resetToken), now, expiresAt],
    );
    return { resetToken, expiresAt };
  }

  /** Deletes the token; undefined if it is unknown, used or expired. Needs a platform scope. */
  async spend(resetToken: string): Promise<string | undefined> {
    const [reset] = await this.query<{ userId: string }>(
      `DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > $2 RETURNING user_id AS "userId"`,
      [hashOf(resetToken), this.bound.now],
    );
    return reset?.userId;
  }

  /** Needs a platform scope. */
  async revoke(userId: string): Promise<void> {
    await this.query('DELETE FROM password_resets WHERE user_id = $1', [userId]);
  }
}
