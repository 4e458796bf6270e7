import { Repository } from '../../persistence/repositories/repository.js';

/** A session as it is stored. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** When the token that named it was exchanged for another. */
  readonly usedAt: Date | null;
}

/** Sessions and the tokens that renew them; only platform work sees them. */
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

  /** The session that a token renews; nobody else renews it until the end of this work. */
  async lockByToken(tokenHash: Buffer): Promise<SessionRow | undefined> {
    const [row] = await this.query<SessionRow>(
      `SELECT s.id, s.user_id AS "userId", s.expires_at AS "expiresAt", s.revoked_at AS "revokedAt", t.used_at AS "usedAt"
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.token_hash = $1 FOR UPDATE OF s, t`,
      [tokenHash],
    );
    return row;
  }

  /** Exchanges a token for another one; the session lives on from now. */
  async rotate(session: SessionRow, tokens: { used: Buffer; next: Buffer; expiresAt: Date }): Promise<void> {
    await this.query('UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1', [
      tokens.used,
      this.bound.now,
    ]);
    await this.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [session.id, tokens.expiresAt]);
    await this.addToken(session.id, tokens.next);
  }

  /** Ends a session with all its tokens. */
  async end(session: SessionRow): Promise<void> {
    await this.query('UPDATE sessions SET revoked_at = $2 WHERE id = $1', [session.id, this.bound.now]);
  }

  /** Forgets sessions that ran out long enough ago that no token of theirs can be valid. */
  async prune(): Promise<void> {
    await this.query("DELETE FROM sessions WHERE expires_at < $1::timestamptz - interval '1 day'", [
      this.bound.now,
    ]);
  }

  /** Notes what became of a session. */
  note(action: 'session.refresh' | 'session.end' | 'session.reuse', session: SessionRow): void {
    this.record({
      action,
      target: { type: 'user', id: session.userId, name: session.userId },
      before: null,
      after: { sessionId: session.id },
    });
  }
}
