import { AppError } from '../../contracts/errors.js';
import type { Catalog } from '../content/catalog.js';
import { anonymous } from './credentials.js';
import { mapDatabaseErrors } from './failures.js';
import { isAddressAdmitted, isAddressRestricted, projectRefusal } from './project-access.js';
import type { Services } from './services.js';

function assertReadable({ clock }: Services, catalog: Catalog | undefined, address: string | null): Catalog {
  const refusal = projectRefusal(anonymous, catalog);
  if (refusal !== undefined || catalog === undefined) throw new AppError(refusal ?? 'project_not_found');
  if (!isAddressRestricted(anonymous, catalog)) return catalog;
  const request = { address, audience: 'delivery', surface: 'rest', now: clock() } as const;
  if (!isAddressAdmitted(anonymous, catalog, request)) throw new AppError('ip_not_allowed');
  return catalog;
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
