import { createHash } from 'node:crypto';
import { limits } from '../../../contracts/limits.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import { Repository } from '../../persistence/repositories/repository.js';

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
