import { AppError } from '../../contracts/errors.js';
import type { ErrorCode } from '../../contracts/error-codes.js';
import type { Catalog } from '../content/catalog.js';
import { seesDrafts, type Principal } from '../access/principal.js';
import { anonymous } from './credentials.js';
import { mapDatabaseErrors } from './failures.js';
import { isAddressAdmitted, isAddressRestricted, projectRefusal } from './project-access.js';
import type { Services } from './services.js';
import { orUndefined } from '../infrastructure/promises.js';

function refusalOf(
  { clock }: Services,
  catalog: Catalog | undefined,
  address: string | null,
): ErrorCode | undefined {
  const refusal = projectRefusal(anonymous, catalog);
  if (refusal !== undefined) return refusal;
  if (catalog === undefined || !isAddressRestricted(anonymous, catalog)) return undefined;
  const request = { address, audience: 'delivery', surface: 'rest', now: clock() } as const;
  return isAddressAdmitted(anonymous, catalog, request) ? undefined : 'ip_not_allowed';
}

function assertReadable(services: Services, catalog: Catalog | undefined, address: string | null): Catalog {
  const refusal = refusalOf(services, catalog, address);
  if (refusal !== undefined || catalog === undefined) throw new AppError(refusal ?? 'project_not_found');
  return catalog;
}

/** Undefined unless the project is in memory and {@link admitFileReader} would admit the caller. */
export function peekFileReader(
  services: Services,
  projectSlug: string,
  address: string | null,
): Catalog | undefined {
  const known = services.catalogs.peek(projectSlug, null);
  return refusalOf(services, known, address) === undefined ? known : undefined;
}

/**
 * Checks project, tenant and address: files need no credential, and no rate limit counts them. Synchronous if the
 * project is in memory.
 * @throws AppError 403 `tenant_inactive` and `ip_not_allowed`, 404 `project_not_found`
 */
export function admitFileReader(
  services: Services,
  projectSlug: string,
  address: string | null,
): Catalog | Promise<Catalog> {
  const { catalogs } = services;
  const known = catalogs.peek(projectSlug, null);
  if (known !== undefined) return assertReadable(services, known, address);
  return mapDatabaseErrors(async () =>
    assertReadable(services, await catalogs.find(projectSlug, null), address),
  );
}

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
    return readerOf(await orUndefined(this.services.credentials.find(authorization)));
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
