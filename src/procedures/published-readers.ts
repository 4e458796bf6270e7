import { seesDrafts, type Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { anonymous } from './credentials.js';
import { isAddressAdmitted, isAddressRestricted, projectRefusal } from './project-access.js';
import type { Services } from './services.js';

/** Surfaces whose responses from published content are cached. */
export type DeliverySurface = 'rest' | 'graphql';

const readerOf = (principal: Principal | undefined): Principal | undefined =>
  principal === undefined || seesDrafts(principal) ? undefined : principal;

/** Callers who see published content only: anonymous callers and delivery keys. They share cached responses. */
export class PublishedReaders {
  constructor(private readonly services: Pick<Services, 'credentials' | 'keyUses' | 'clock'>) {}

  /** Undefined for other callers, and for keys that are not in memory. */
  peek(authorization: string | undefined): Principal | undefined {
    if (authorization === undefined) return anonymous;
    return readerOf(this.services.credentials.peek(authorization));
  }

  /** Undefined for other callers; admission rejects invalid credentials. */
  async find(authorization: string): Promise<Principal | undefined> {
    return readerOf(await this.services.credentials.find(authorization).catch(() => undefined));
  }

  /** The checks of admission, without rate limit and action. */
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
    const request = { address: from.ip, audience: 'delivery', surface, now: clock() } as const;
    return isAddressAdmitted(reader, catalog, request);
  }
}
