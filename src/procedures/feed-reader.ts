import { AppError } from '../../contracts/errors.js';
import type { KeyPrincipal, Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { findActiveKey } from '../features/api-keys/index.js';
import { atAddress, systemScope } from '../persistence/work/unit-of-work.js';
import { memberPrincipal } from './member-principal.js';
import type { Services } from './services.js';

async function keyPrincipal(services: Services, { data }: Catalog, id: string): Promise<KeyPrincipal> {
  const { units, keyUses, clock } = services;
  const scope = atAddress(systemScope(), data);
  const key = await units.run({ scope, isReadOnly: true, lock: 'none' }, (work) => findActiveKey(work, id));
  keyUses.record(key, clock());
  return key;
}

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
  const principal =
    reader.kind === 'user'
      ? await memberPrincipal(services, reader.id, projectSlug)
      : await keyPrincipal(services, catalog, reader.id);
  return { ...principal, selectedEnvironmentId: environmentId };
}
