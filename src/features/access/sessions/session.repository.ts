import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { callerNetwork } from '../../../access/address-rules.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import type { UserRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** When the token was exchanged. */
  readonly usedAt: Date | null;
}

/** An open session, as its user sees it. */
export interface OpenSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly network: string | null;
  readonly userAgent: string | null;
}

interface SessionQuery {
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
}

/** Longer ones are cut. */
const USER_AGENT_LENGTH = 400;

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
      `INSERT INTO sessions (tenant_id, id, user_id, created_at, last_used_at, expires_at, network, user_agent)
       VALUES ($1, $2, $3, $4, $4, $5, $6, $7)`,
      [tenantId, id, userId, this.bound.now, expiresAt, ...this.#origin],
    );
  }

  /** Where a login or renewal came from. */
  get #origin(): readonly [network: string | null, userAgent: string | null] {
    const { ip, userAgent } = this.bound.scope.origin;
    return [ip === null ? null : callerNetwork(ip), userAgent?.slice(0, USER_AGENT_LENGTH) ?? null];
  }

  async listOpen({ orderBy, limit, offset }: SessionQuery): Promise<Page<OpenSession>> {
    const open = 'FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2';
    const bind = [this.bound.scope.actor.id, this.bound.now];
    const [key, direction] = orderBy.split(':');
    const way = direction === 'desc' ? 'DESC' : 'ASC';
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${open}`, bind);
    const items = await this.query<OpenSession>(
      `SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt", network,
         user_agent AS "userAgent"
       ${open} ORDER BY ${key === 'createdAt' ? 'created_at' : 'last_used_at'} ${way}, id ${way} LIMIT $3 OFFSET $4`,
      [...bind, limit, offset],
    );
    return { items, total: count?.total ?? 0 };
  }

  /** Ends open sessions of the calling user. @returns the ids of those that were open */
  async endOwn(which: { readonly id: string } | { readonly except: string | undefined }): Promise<string[]> {
    const [id, except] = 'id' in which ? [which.id, null] : [null, which.except ?? null];
    const ended = await this.query<{ id: string }>(
      `UPDATE sessions SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2
         AND ($3::uuid IS NULL OR id = $3) AND ($4::uuid IS NULL OR id <> $4) RETURNING id`,
      [this.bound.scope.actor.id, this.bound.now, id, except],
    );
    return ended.map((row) => row.id);
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
    await this.query(
      'UPDATE sessions SET expires_at = $2, last_used_at = $3, network = $4, user_agent = $5 WHERE id = $1',
      [session.id, tokens.expiresAt, this.bound.now, ...this.#origin],
    );
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

  /** Deletes sessions whose tokens have all expired, and logins that were not completed. */
  async prune(): Promise<void> {
    await this.query('DELETE FROM login_challenges WHERE expires_at < $1', [this.bound.now]);
    await this.query('DELETE FROM spent_challenges WHERE expires_at < $1', [this.bound.now]);
    await this.query("DELETE FROM sessions WHERE expires_at < $1::timestamptz - interval '1 day'", [
      this.bound.now,
    ]);
  }

  note(
    action: 'session.refresh' | 'session.end' | 'session.reuse',
    session: Pick<SessionRow, 'id' | 'userId'>,
  ): void {
    this.record({
      action,
      target: { type: 'user', id: session.userId, name: session.userId },
      before: null,
      after: { sessionId: session.id },
    });
  }
}

const checkSession = {
  name: 'check_session',
  text: 'SELECT is_ended AS "isEnded", needs_second_factor AS "needsSecondFactor" FROM check_session($1, $2)',
};

interface SessionState {
  readonly isEnded: boolean;
  /** Its tenant requires a second factor, which the user has not set up. */
  readonly needsSecondFactor: boolean;
}

/** Finds sessions that ended before their tokens expired, and notes the last use of others every five minutes. */
export class SessionLookup {
  /** @param pool of the service role */
  constructor(private readonly pool: ReadPool) {}

  /** Undefined for a session that the service does not know. */
  async state(sessionId: string, now: Date): Promise<SessionState | undefined> {
    const [state] = await this.pool.run<SessionState>(checkSession, [sessionId, now]);
    return state;
  }
}

export type { UserRow };

export type LoginAccount = Pick<UserRow, 'id' | 'email' | 'name' | 'tenantId' | 'isSuperAdmin'> & {
  readonly passwordHash: string;
  /** Null for a super-admin. */
  readonly tenantSlug: string | null;
  /** Whether its tenant lets users log in with a password. */
  readonly allowsPasswords: boolean;
};

/** Users of all tenants. Needs a platform scope. */
export class UserRepository extends TableRepository<UserRow> {
  protected readonly table = {
    model: ({ users }: Models) => users,
    resource: 'user',
    notFound: () => new AppError('user_not_found'),
  } as const satisfies TableDefinition<UserRow>;

  findById(id: string): Promise<UserRow | undefined> {
    return this.findWhere({ id });
  }

  /** Case-insensitive. */
  async hasSuperAdmin(email: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM users WHERE lower(email) = lower($1) AND tenant_id IS NULL',
      [email],
    );
    return rows.length > 0;
  }

  /**
   * Accounts that can log in with this address, the oldest first; case-insensitive. One statement whether or not there
   * are any.
   * @param tenantSlug null for accounts of all tenants and of super-admins
   */
  loginAccounts(email: string, tenantSlug: string | null, limit: number): Promise<LoginAccount[]> {
    return this.query<LoginAccount>(
      `SELECT u.id, u.email, u.name, u.tenant_id AS "tenantId", u.is_super_admin AS "isSuperAdmin",
         u.password_hash AS "passwordHash", t.slug AS "tenantSlug", coalesce(s.allows_passwords, true) AS "allowsPasswords"
       FROM users u LEFT JOIN tenants t ON t.id = u.tenant_id LEFT JOIN sign_ons s ON s.tenant_id = u.tenant_id
       WHERE lower(u.email) = lower($1) AND u.status = 'active' AND u.password_hash IS NOT NULL
         AND ($2::text IS NULL OR t.slug = $2) ORDER BY u.is_super_admin DESC, u.created_at, u.id LIMIT $3`,
      [email, tenantSlug, limit],
    );
  }

  /**
   * A super-admin has no tenant.
   * @throws AppError 403 `tenant_inactive`
   */
  async assertTenantActive({ tenantId }: Pick<UserRow, 'tenantId'>): Promise<void> {
    if (tenantId === null) return;
    const [row] = await this.query("SELECT 1 FROM tenants WHERE id = $1 AND status = 'active'", [tenantId]);
    if (row === undefined) throw new AppError('tenant_inactive');
  }

  /**
   * Passkeys are of this service, as passwords are.
   * @throws AppError 403 `sign_on_required`
   */
  async assertLocalLogin({ tenantId }: Pick<UserRow, 'tenantId'>): Promise<void> {
    const [refusal] = await this.query<{ slug: string }>(
      `SELECT t.slug FROM sign_ons s JOIN tenants t ON t.id = s.tenant_id
       WHERE s.tenant_id = $1 AND NOT s.allows_passwords`,
      [tenantId],
    );
    if (refusal !== undefined) throw new AppError('sign_on_required', { tenantSlug: refusal.slug });
  }

  recordLogin({ id, email }: Pick<UserRow, 'id' | 'email'>, sessionId: string): void {
    this.record({
      action: 'session.create',
      target: { type: 'user', id, name: email },
      before: null,
      after: { sessionId },
    });
  }

  protected override get scope(): object {
    return {};
  }

  protected override target({ email }: UserRow) {
    return { name: email };
  }

  protected override snapshot({ passwordHash: _never, ...shown }: UserRow): Snapshot {
    return shown;
  }
}
