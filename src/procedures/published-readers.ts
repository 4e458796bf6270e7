import { seesDrafts, type Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { anonymous } from './credentials.js';
import { isAddressAdmitted, isAddressRestricted, projectRefusal } from './project-access.js';
import type { Services } from './services.js';

/** Surfaces whose answers from published content are cached. */
export type DeliverySurface = 'rest' | 'graphql';

/** The principal, if published content is all that it sees. */
const readerOf = (principal: Principal | undefined): Principal | undefined =>
  principal === undefined || seesDrafts(principal) ? undefined : principal;

/**
 * Callers who see what is published and nothing else, which is the same for all of them: anonymous ones and delivery
 * keys. The response cache decides with it who may have an answer.
 */
export class PublishedReaders {
  constructor(private readonly services: Pick<Services, 'credentials' | 'keyUses' | 'clock'>) {}

  /** Undefined for other callers, and for keys that are not in memory. */
  peek(authorization: string | undefined): Principal | undefined {
    if (authorization === undefined) return anonymous;
    return readerOf(this.services.credentials.peek(authorization));
  }

  /** Looks up the key. Undefined for other callers; invalid credentials are rejected by admission. */
  async find(authorization: string): Promise<Principal | undefined> {
    return readerOf(await this.services.credentials.find(authorization).catch(() => undefined));
  }

  /**
   * Whether a reader may have an answer that was made from a catalog: the checks of admission without rate limit and
   * action, which reading never lacks.
   */
  mayRead(
    reader: Principal,
    { catalog, surface }: { readonly catalog: Catalog; readonly surface: DeliverySurface },
    from: { readonly ip: string | null },
  ): boolean {
    if (reader.kind === 'anonymous' && surface === 'graphql') return false;
    if (projectRefusal(reader, catalog) !== undefined) return false;
    const { clock, keyUses } = this.services;
    if (reader.kind === 'api_key') keyUses.record(reader, clock());
    if (!isAddressRestricted(reader, catalog)) return true;
    const entrance = { address: from.ip, audience: 'delivery', surface, now: clock() } as const;
    return isAddressAdmitted(reader, catalog, entrance);
  }
}
