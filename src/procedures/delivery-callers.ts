import { LRUCache } from 'lru-cache';
import { guardedInterface, isAddressAllowed } from '../access/address-rules.js';
import { hashSecret, isWellFormedSecret } from '../access/key-secret.js';
import { isWithin } from '../access/networks.js';
import type { Catalog } from '../content/catalog.js';
import { SecretHash, type KnownKey } from '../features/api-keys/index.js';
import { assertUsable } from './credentials.js';
import type { Services } from './services.js';

/** Who may read what is published and nothing else: nobody in particular, or a delivery key. */
export type DeliveryCaller = KnownKey | 'anonymous';

/** Interfaces whose published answers are kept. */
export type DeliverySurface = 'rest' | 'graphql';

/** Where a caller asks from, and through which interface. */
interface CallerPlace {
  readonly address: string | null;
  readonly surface: DeliverySurface;
}

const BEARER = /^Bearer +(hwd_[0-9A-Za-z]{49})$/i;
/** Credentials of existing keys whose hashes are remembered. */
const RECOGNISED = 1000;

/** A credential that was found good. */
interface Recognised {
  readonly hash: SecretHash;
  /** The key as it was then; another one stands in its place when anything about it has changed. */
  readonly key: KnownKey;
  /** When it may not be good any more, in ms of the epoch. */
  readonly until: number;
}

/** The hash of a delivery key's secret in an `Authorization` header. */
function hashOf(authorization: string): SecretHash | undefined {
  const secret = BEARER.exec(authorization)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? new SecretHash(hashSecret(secret)) : undefined;
}

/** When a good secret of a key ends, in ms of the epoch. */
function endOf({ expiresAt, previousSecretExpiresAt, secretHash }: KnownKey, hash: SecretHash): number {
  const ofKey = expiresAt?.getTime() ?? Infinity;
  const ofSecret = hash.bytes.equals(secretHash) ? Infinity : (previousSecretExpiresAt?.getTime() ?? 0);
  return Math.min(ofKey, ofSecret);
}

/**
 * The gate for answers from memory: the checks of {@link admit} for reads of published content, with nothing but
 * what is remembered. Whoever it does not know, or does not let in, is the gate's own business.
 */
export class DeliveryCallers {
  /** Hashes by what was sent: hashing takes longer than the rest of an answer from memory. */
  readonly #recognised = new LRUCache<string, Recognised>({ max: RECOGNISED });

  constructor(private readonly services: Pick<Services, 'keys' | 'keyUses' | 'clock'>) {}

  /** The caller, if no credential was sent or it is remembered and good. */
  remembered(authorization: string | undefined): DeliveryCaller | undefined {
    if (authorization === undefined) return 'anonymous';
    const known = this.#recognised.get(authorization);
    const hash = known?.hash ?? hashOf(authorization);
    if (hash === undefined) return undefined;
    const key = this.services.keys.peek(hash);
    if (known !== undefined && key === known.key && this.services.clock().getTime() < known.until) return key;
    return this.#recognise(authorization, hash, key);
  }

  /** The same, with a look at the database where the credential is not remembered. */
  async identify(authorization: string | undefined): Promise<DeliveryCaller | undefined> {
    if (authorization === undefined) return 'anonymous';
    const hash = hashOf(authorization);
    if (hash === undefined) return undefined;
    const key = await this.services.keys.byHash(hash.bytes).catch(() => undefined);
    return this.#recognise(authorization, hash, key);
  }

  /** Whether a caller may have an answer that was made from this project, as far as it does not depend on where it asks from. */
  mayHave({ data }: Catalog, caller: DeliveryCaller, surface: DeliverySurface): boolean {
    if (!data.tenant.isActive) return false;
    if (caller === 'anonymous') return surface === 'rest';
    if (caller.projectId !== data.project.id) return false;
    if (caller.environmentId !== null && caller.environmentId !== data.environment.id) return false;
    this.services.keyUses.note(caller, this.services.clock());
    return true;
  }

  /** Whether it matters where the caller asks from. */
  isAddressBound({ data }: Catalog, caller: DeliveryCaller): boolean {
    return data.addressRules.isEnabled || (caller !== 'anonymous' && caller.ipAllowlist.length > 0);
  }

  /** Whether the allowlists of the project and of the key let the address in. */
  isWelcome({ data }: Catalog, caller: DeliveryCaller, from: CallerPlace): boolean {
    const { address, surface } = from;
    const guarded = guardedInterface('delivery', surface);
    const own = caller === 'anonymous' ? [] : caller.ipAllowlist;
    const now = this.services.clock();
    const isAllowed = guarded === undefined || isAddressAllowed(data.addressRules, { address, guarded, now });
    return isAllowed && (own.length === 0 || isWithin(own, address));
  }

  /** The key, if it is good; what was sent is known from then on. */
  #recognise(authorization: string, hash: SecretHash, key: KnownKey | undefined): KnownKey | undefined {
    if (key?.type !== 'delivery') return undefined;
    try {
      assertUsable(key, hash.bytes, this.services.clock());
    } catch {
      return undefined;
    }
    this.#recognised.set(authorization, { hash, key, until: endOf(key, hash) });
    return key;
  }
}
