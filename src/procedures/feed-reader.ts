import { AppError } from '../../contracts/errors.js';
import type { Principal } from '../access/principal.js';
import { presentPrincipal } from './present-principal.js';
import type { Services } from './services.js';

/**
 * The user or key that a feed URL was issued to, with their present rights.
 * @throws AppError 403 `invalid_signature`; 401 `invalid_session`, `api_key_revoked`, `api_key_expired`
 */
export async function feedReader(services: Services, token: string, projectSlug: string): Promise<Principal> {
  const reader = await services.feedTokens.verify(token, services.clock());
  if (reader === undefined) throw new AppError('invalid_signature');
  const { environmentId } = reader;
  const { catalogs } = services;
  const catalog =
    catalogs.peek(projectSlug, environmentId) ?? (await catalogs.find(projectSlug, environmentId));
  if (catalog?.data.environment.id !== environmentId) throw new AppError('invalid_signature');
  const principal = await presentPrincipal(services, catalog, reader);
  if (principal.kind === 'api_key') services.keyUses.record(principal, services.clock());
  return { ...principal, selectedEnvironmentId: environmentId };
}
