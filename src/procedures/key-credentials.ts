import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../contracts/errors.js';
import { hashSecret, isWellFormedSecret } from '../access/key-secret.js';
import type { KeyPrincipal } from '../access/principal.js';
import { SecretHash, type KnownKey, type ApiKeyCache } from '../features/access/api-keys/index.js';
import type { Clock } from '../infrastructure/clock.js';

const BEARER = /^Bearer +([^\s]+)$/i;
const MAXIMUM_LENGTH = 4096;
/** Hashing takes longer than the rest of a cache hit. */
const CACHED_HEADERS = 1000;

export const bearerIn = (authorization: string): string | undefined =>
  authorization.length <= MAXIMUM_LENGTH ? BEARER.exec(authorization)?.[1] : undefined;

/** @throws AppError `api_key_expired` for a previous secret after its overlap */
function assertCurrentSecret(key: KnownKey, hash: Buffer, now: Date): void {
  if (timingSafeEqual(key.secretHash, hash)) return;
  const { previousSecretHash: previous, previousSecretExpiresAt: end } = key;
  if (previous === null || !timingSafeEqual(previous, hash)) throw new AppError('invalid_api_key');
  if (key.revokedAt === null && (end === null || end <= now)) throw new AppError('api_key_expired');
}

/** @throws AppError `invalid_api_key`, `api_key_revoked`, `api_key_expired`, 403 `second_factor_required` */
function assertUsable(key: KnownKey, hash: Buffer, now: Date): void {
  assertCurrentSecret(key, hash, now);
  if (key.revokedAt !== null) throw new AppError('api_key_revoked');
  if (key.expiresAt !== null && key.expiresAt <= now) throw new AppError('api_key_expired');
  if (key.needsSecondFactor) throw new AppError('second_factor_required');
}

/** Expiry of a valid secret, in ms since the epoch. */
function expiryOf({ expiresAt, previousSecretExpiresAt, secretHash }: KnownKey, hash: Buffer): number {
  const ofKey = expiresAt?.getTime() ?? Infinity;
  const ofSecret = hash.equals(secretHash) ? Infinity : (previousSecretExpiresAt?.getTime() ?? 0);
  return Math.min(ofKey, ofSecret);
}

function principalOf(key: KnownKey): KeyPrincipal {
  const {
    secretHash: _hash,
    previousSecretHash: _previous,
    previousSecretExpiresAt: _end,
    revokedAt: _revocation,
    needsSecondFactor: _factor,
    ...rest
  } = key;
  return { kind: 'api_key', ...rest };
}

interface Verified {
  readonly hash: SecretHash;
  /** Compared by identity: a change replaces the object in memory. */
  readonly key: KnownKey;
  readonly principal: KeyPrincipal;
  readonly validUntil: number;
}

export class KeyCredentials {
  readonly #verified = new LRUCache<string, Verified>({ max: CACHED_HEADERS });

  constructor(
    private readonly keys: Pick<ApiKeyCache, 'peek' | 'byHash'>,
    private readonly clock: Clock,
  ) {}

  /** Undefined unless the key is in memory and valid. */
  peek(authorization: string): KeyPrincipal | undefined {
    const verified = this.#verified.get(authorization);
    if (verified === undefined) return undefined;
    const isCurrent =
      this.keys.peek(verified.hash) === verified.key && this.clock().getTime() < verified.validUntil;
    return isCurrent ? verified.principal : undefined;
  }

  /** @throws AppError `invalid_api_key`, `api_key_revoked`, `api_key_expired` */
  async find(authorization: string): Promise<KeyPrincipal> {
    const secret = bearerIn(authorization);
    if (secret === undefined || !isWellFormedSecret(secret)) throw new AppError('invalid_api_key');
    const hash = hashSecret(secret);
    const key = await this.keys.byHash(hash);
    if (key === undefined) throw new AppError('invalid_api_key');
    assertUsable(key, hash, this.clock());
    const principal = principalOf(key);
    this.#verified.set(authorization, {
      hash: new SecretHash(hash),
      key,
      principal,
      validUntil: expiryOf(key, hash),
    });
    return principal;
  }
}
