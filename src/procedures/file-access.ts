import { AppError } from '../../contracts/errors.js';
import type { ErrorCode } from '../../contracts/error-codes.js';
import type { Catalog } from '../content/catalog.js';
import { anonymous } from './credentials.js';
import { mapDatabaseErrors } from './failures.js';
import { isAddressAdmitted, isAddressRestricted, projectRefusal } from './project-access.js';
import type { Services } from './services.js';

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
