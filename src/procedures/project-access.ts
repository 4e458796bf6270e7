import { AppError } from '../../contracts/errors.js';
import type { ErrorCode } from '../../contracts/error-codes.js';
import type { Audience } from '../../contracts/metadata.js';
import { guardedInterface, isAddressAllowed, isWithin } from '../access/address-rules.js';
import {
  boundEnvironment,
  type Principal,
  type Surface,
  choosesEnvironment,
  selectedEnvironment,
} from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import type { CatalogStore, EnvironmentName } from '../features/environments/catalog/index.js';

/** Undefined if access is allowed. A key gets `wrong_project` for any other project, existing or not. */
export function projectRefusal(principal: Principal, catalog: Catalog | undefined): ErrorCode | undefined {
  const projectId = catalog?.data.project.id;
  if (principal.kind === 'api_key' && projectId !== principal.projectId) return 'wrong_project';
  const isMember = principal.kind !== 'user' || principal.isSuperAdmin;
  if (!isMember && (principal.projectId === null || projectId !== principal.projectId))
    return 'wrong_project';
  if (catalog === undefined) return 'project_not_found';
  if (!catalog.data.tenant.isActive) return 'tenant_inactive';
  const boundTo = boundEnvironment(principal);
  if (boundTo !== null && boundTo !== catalog.data.environment.id) return 'environment_not_allowed';
  return undefined;
}

export const isAddressRestricted = (principal: Principal, { data }: Catalog): boolean =>
  data.addressRules.isEnabled || (principal.kind === 'api_key' && principal.ipAllowlist.length > 0);

interface AddressRequest {
  readonly address: string | null;
  readonly audience: Audience;
  readonly surface: Surface;
  readonly now: Date;
}

/** Rule access/allowlist. The allowlist of the project does not apply to super-admins. */
export function isAddressAdmitted(
  principal: Principal,
  { data }: Catalog,
  { address, audience, surface, now }: AddressRequest,
): boolean {
  const guarded = guardedInterface(audience, surface);
  const isExempt = guarded === undefined || (principal.kind === 'user' && principal.isSuperAdmin);
  const isAllowed = isExempt || isAddressAllowed(data.addressRules, { address, guarded, now });
  const own = principal.kind === 'api_key' ? principal.ipAllowlist : [];
  return isAllowed && (own.length === 0 || isWithin(own, address));
}

interface Choice {
  readonly projectSlug: string;
  readonly audience: Audience;
  /** `X-Environment`. */
  readonly named: string | undefined;
}

/** No slug is longer. */
const LONGEST_SLUG = 63;

/** Delivery takes no selection: what an URL returns must not change with it. */
function chosenBy(principal: Principal, { audience, named }: Choice): EnvironmentName {
  const bound = boundEnvironment(principal);
  if (bound !== null) return bound;
  if (named === undefined) return audience === 'management' ? selectedEnvironment(principal) : null;
  return choosesEnvironment(principal) && named.length <= LONGEST_SLUG ? { slug: named } : null;
}

/**
 * Catalog of the environment of a call: the one that the key is bound to, that the call names, that the caller has
 * selected, or the default one, which also replaces one that is gone. Synchronous for catalogs in memory.
 */
export function catalogOfCall(
  catalogs: CatalogStore,
  principal: Principal,
  choice: Choice,
): Catalog | undefined | Promise<Catalog | undefined> {
  const { projectSlug } = choice;
  const chosen = chosenBy(principal, choice);
  const known = catalogs.peek(projectSlug, chosen);
  if (known !== undefined) return known;
  const found = catalogs.find(projectSlug, chosen);
  return chosen === null ? found : found.then((catalog) => catalog ?? catalogs.find(projectSlug, null));
}

/** @throws AppError 403 `environment_not_allowed`, 404 `environment_not_found` for another one than the call names */
export function assertNamed(principal: Principal, catalog: Catalog, named: string | undefined): void {
  if (named === undefined || named === catalog.data.environment.slug) return;
  const isOpen = boundEnvironment(principal) === null && choosesEnvironment(principal);
  throw new AppError(isOpen ? 'environment_not_found' : 'environment_not_allowed', { environment: named });
}
