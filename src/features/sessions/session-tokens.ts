import { createHash } from 'node:crypto';
import { limits } from '../../../contracts/limits.js';
import type { Session } from '../../../contracts/resources/session.js';
import type { SessionTokens } from '../../access/session-token.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { UserRow } from './user.repository.js';

/** Renews a session once. */
export interface RefreshToken {
  readonly text: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/** A token has 256 random bits, so a plain SHA-256 cannot be reversed by search. */
export const hashRefreshToken = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

export function newRefreshToken(now: Date): RefreshToken {
  const text = `hwr_${Buffer.from(randomSecretBytes()).toString('hex')}`;
  const expiresAt = new Date(now.getTime() + limits.refreshTokenSeconds * 1000);
  return { text, hash: hashRefreshToken(text), expiresAt };
}

export async function presentSession(
  { now, newId }: Pick<UnitOfWork, 'now' | 'newId'>,
  tokens: SessionTokens,
  {
    user,
    sessionId,
    refreshToken,
  }: {
    user: Pick<UserRow, 'id' | 'email' | 'name' | 'tenantId' | 'isSuperAdmin'>;
    sessionId: string;
    refreshToken: string;
  },
): Promise<Session> {
  const { id, email, name, tenantId, isSuperAdmin } = user;
  const tokenId = newId();
  const accessToken = await tokens.issue({ userId: id, tenantId, isSuperAdmin, tokenId, sessionId, now });
  return {
    accessToken,
    refreshToken,
    expiresIn: limits.accessTokenSeconds,
    tokenType: 'Bearer',
    user: { id, email, name, isSuperAdmin },
  };
}
