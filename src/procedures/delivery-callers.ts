import { guardedInterface, isAddressAllowed } from '../access/address-rules.js';
import { hashSecret, isWellFormedSecret } from '../access/key-secret.js';
import { isWithin } from '../access/networks.js';
import type { Catalog } from '../content/catalog.js';
import type { KnownKey } from '../features/api-keys/index.js';
import { assertUsable } from './credentials.js';
import type { Services } from './services.js';

/** Who may read what is published and nothing else: nobody in particular, or a delivery key. */
export type DeliveryCaller = KnownKey | 'anonymous';

/** A published answer, and who asks for it from where. */
export interface AnswerRequest {
  readonly caller: DeliveryCaller;
  readonly surface: 'rest' | 'graphql';
  /** Asked only where an allowlist is to be kept. */
  address(): string | null;
}

const BEARER = /^Bearer +(hwd_[0-9A-Za-z]{49})$/i;

/**
 * The gate for answers from memory: the checks of {@link admit} for reads of published content, with nothing but
 * what is remembered. Whoever it does not know, or does not let in, is the gate's own business.
 */
export class DeliveryCallers {
  constructor(private readonly services: Pick<Services, 'keys' | 'keyUses' | 'clock'>) {}

  /** The caller, if no credential was sent or it is remembered and good. */
  remembered(authorization: string | undefined): DeliveryCaller | undefined {
    if (authorization === undefined) return 'anonymous';
    const secret = BEARER.exec(authorization)?.[1];
    if (secret === undefined) return undefined;
    const hash = hashSecret(secret);
    return this.#usable(this.services.keys.peek(hash), hash);
  }

  /** The same, with a look at the database where the credential is not remembered. */
  async identify(authorization: string | undefined): Promise<DeliveryCaller | undefined> {
    if (authorization === undefined) return 'anonymous';
    const secret = BEARER.exec(authorization)?.[1];
    if (secret === undefined || !isWellFormedSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    return this.#usable(await this.services.keys.byHash(hash).catch(() => undefined), hash);
  }

  /** Whether a caller may have an answer that was made from this project. */
  mayHave({ data }: Catalog, { caller, surface, address }: AnswerRequest): boolean {
    const isAnonymous = caller === 'anonymous';
    if (!data.tenant.isActive || (isAnonymous && surface === 'graphql')) return false;
    if (!isAnonymous) {
      const { projectId, environmentId } = caller;
      if (projectId !== data.project.id) return false;
      if (environmentId !== null && environmentId !== data.environment.id) return false;
    }
    const own = isAnonymous ? [] : caller.ipAllowlist;
    const guarded = guardedInterface('delivery', surface);
    const now = this.services.clock();
    if (!isAnonymous) this.services.keyUses.note(caller, now);
    if (guarded === undefined || (own.length === 0 && !data.addressRules.isEnabled)) return true;
    const from = address();
    const isWelcome = isAddressAllowed(data.addressRules, { address: from, guarded, now });
    return isWelcome && (own.length === 0 || isWithin(own, from));
  }

  #usable(key: KnownKey | undefined, hash: Buffer): KnownKey | undefined {
    if (key?.type !== 'delivery') return undefined;
    try {
      assertUsable(key, hash, this.services.clock());
      return key;
    } catch {
      return undefined;
    }
  }
}
