import { limits } from '../../../../contracts/limits.js';
import type { AuditVerb } from '../../../../contracts/change-names.js';
import { hashOfToken, newToken } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { UserRow } from '../../../persistence/models/access.js';

interface SecondFactor {
  /** Encrypted for the user. */
  readonly secret: Buffer;
  /** Null until a code has shown that the app of the user has the secret. */
  readonly confirmedAt: Date | null;
  /** Of the code that was accepted last. */
  readonly lastStep: number | null;
}

interface FactorState {
  /** Of the authenticator app. */
  readonly enabledAt: Date | null;
  readonly isRequired: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
}

/** A login whose first factor is proven. */
export interface LoginChallenge {
  readonly tokenHash: Buffer;
  readonly userId: string;
}

/** Second factors, recovery codes and challenges. Needs a platform scope, or the scope of the user's tenant. */
export class SecondFactorRepository extends Repository {
  /** Locks it until the end of the transaction. */
  async lock(userId: string): Promise<SecondFactor | undefined> {
    const [factor] = await this.query<SecondFactor>(
      `SELECT secret, confirmed_at AS "confirmedAt", last_step AS "lastStep" FROM second_factors
       WHERE user_id = $1 FOR UPDATE`,
      [userId],
    );
    return factor;
  }

  async hasApp(userId: string): Promise<boolean> {
    return (await this.state(userId)).enabledAt !== null;
  }

  async state(userId: string): Promise<FactorState> {
    const [state] = await this.query<FactorState>(
      `SELECT f.confirmed_at AS "enabledAt", coalesce(t.require_second_factor, false) AS "isRequired",
         (SELECT count(*)::int FROM passkeys p WHERE p.user_id = u.id) AS passkeys,
         (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL) AS "recoveryCodesLeft"
       FROM users u LEFT JOIN tenants t ON t.id = u.tenant_id LEFT JOIN second_factors f ON f.user_id = u.id
       WHERE u.id = $1`,
      [userId],
    );
    return state ?? { enabledAt: null, isRequired: false, passkeys: 0, recoveryCodesLeft: 0 };
  }

  /** Replaces a secret that was never confirmed. */
  async begin({ id, tenantId }: Pick<UserRow, 'id' | 'tenantId'>, secret: Buffer): Promise<void> {
    await this.query(
      `INSERT INTO second_factors (tenant_id, user_id, secret, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at`,
      [tenantId, id, secret, this.bound.now],
    );
  }

  /** Accepts a code, which is then refused. The first one confirms the secret. */
  async useStep(userId: string, step: number): Promise<void> {
    await this.query(
      'UPDATE second_factors SET last_step = $2, confirmed_at = coalesce(confirmed_at, $3) WHERE user_id = $1',
      [userId, step, this.bound.now],
    );
  }

  /** The authenticator app; recovery codes stay with passkeys. */
  async remove(userId: string): Promise<void> {
    await this.endChallenges(userId);
    await this.query('DELETE FROM second_factors WHERE user_id = $1', [userId]);
    await this.dropUnusedCodes(userId);
  }

  /** Authenticator app, passkeys, recovery codes and open challenges. @returns whether there was a factor */
  async removeAll(userId: string): Promise<boolean> {
    await this.endChallenges(userId);
    const [removed] = await this.query<{ factors: number }>(
      `WITH apps AS (DELETE FROM second_factors WHERE user_id = $1 RETURNING user_id),
         keys AS (DELETE FROM passkeys WHERE user_id = $1 RETURNING user_id),
         codes AS (DELETE FROM recovery_codes WHERE user_id = $1)
       SELECT (SELECT count(*)::int FROM apps) + (SELECT count(*)::int FROM keys) AS factors`,
      [userId],
    );
    return (removed?.factors ?? 0) > 0;
  }

  /** Recovery codes of a user without any factor. */
  async dropUnusedCodes(userId: string): Promise<void> {
    await this.query('DELETE FROM recovery_codes WHERE user_id = $1 AND NOT has_second_factor($1)', [userId]);
  }

  async replaceCodes(userId: string, hashes: readonly Buffer[]): Promise<void> {
    await this.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await this.query(
      `INSERT INTO recovery_codes (tenant_id, user_id, code_hash)
       SELECT tenant_id, id, unnest($2::bytea[]) FROM users WHERE id = $1`,
      [userId, [...hashes]],
    );
  }

  /** @returns whether the code was an unused one of the user */
  async spendCode(userId: string, hash: Buffer): Promise<boolean> {
    const spent = await this.query(
      `UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL
       RETURNING user_id`,
      [userId, hash, this.bound.now],
    );
    return spent.length > 0;
  }

  async openChallenge({
    id,
    tenantId,
  }: Pick<UserRow, 'id' | 'tenantId'>): Promise<{ token: string; expiresAt: Date }> {
    const { now } = this.bound;
    const token = newToken('hwc_');
    const expiresAt = new Date(now.getTime() + limits.loginChallengeSeconds * 1000);
    await this.query(
      `INSERT INTO login_challenges (tenant_id, token_hash, user_id, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [tenantId, hashOfToken(token), id, now, expiresAt],
    );
    return { token, expiresAt };
  }

  /** An open challenge. */
  async findChallenge(token: string, lock: '' | 'FOR UPDATE' = ''): Promise<LoginChallenge | undefined> {
    const [challenge] = await this.query<LoginChallenge>(
      `SELECT token_hash AS "tokenHash", user_id AS "userId" FROM login_challenges
       WHERE token_hash = $1 AND expires_at > $2 ${lock}`,
      [hashOfToken(token), this.bound.now],
    );
    return challenge;
  }

  /** Locks an open challenge until the end of the transaction. */
  lockChallenge(token: string): Promise<LoginChallenge | undefined> {
    return this.findChallenge(token, 'FOR UPDATE');
  }

  /** Counts a wrong code; the last one that is permitted ends the challenge. */
  async failChallenge({ tokenHash }: LoginChallenge): Promise<void> {
    await this.query('UPDATE login_challenges SET failures = failures + 1 WHERE token_hash = $1', [
      tokenHash,
    ]);
    await this.query('DELETE FROM login_challenges WHERE token_hash = $1 AND failures >= $2', [
      tokenHash,
      limits.loginChallengeFailures,
    ]);
  }

  noteChallenge({ id, email }: Pick<UserRow, 'id' | 'email'>): void {
    this.record({
      action: 'session.challenge',
      target: { type: 'user', id, name: email },
      before: null,
      after: { secondFactor: true },
    });
  }

  async endChallenges(userId: string): Promise<void> {
    await this.query('DELETE FROM login_challenges WHERE user_id = $1', [userId]);
  }

  note(
    verb: Extract<
      AuditVerb,
      `second_factor_${'start' | 'enable' | 'disable' | 'reset'}` | 'recovery_codes_renew'
    >,
    { id, email }: Pick<UserRow, 'id' | 'email'>,
  ): void {
    const isOn = { before: true, after: true };
    if (verb === 'second_factor_start' || verb === 'second_factor_enable') isOn.before = false;
    if (verb !== 'second_factor_enable' && verb !== 'recovery_codes_renew') isOn.after = false;
    this.record({
      action: `user.${verb}`,
      target: { type: 'user', id, name: email },
      before: { secondFactor: isOn.before },
      after: { secondFactor: isOn.after },
    });
  }
}
