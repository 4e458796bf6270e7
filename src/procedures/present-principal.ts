import type { Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import { findActiveKey } from '../features/api-keys/index.js';
import { atAddress, systemScope } from '../persistence/work/unit-of-work.js';
import { memberPrincipal } from './member-principal.js';
import type { Services } from './services.js';

/**
 * A user or key by id, with their present rights.
 * @throws AppError 401 `invalid_session`, `api_key_revoked`, `api_key_expired`, 404 `api_key_not_found`
 */
export async function presentPrincipal(
  services: Services,
  { data }: Catalog,
  { kind, id }: { readonly kind: 'user' | 'api_key'; readonly id: string },
): Promise<Exclude<Principal, { kind: 'anonymous' }>> {
  if (kind === 'user') return memberPrincipal(services, id, data.project.slug);
  const scope = atAddress(systemScope(), data);
  return services.units.run({ scope, isReadOnly: true, lock: 'none' }, (work) => findActiveKey(work, id));
}
