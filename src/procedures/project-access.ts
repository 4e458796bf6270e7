import type { ErrorCode } from '../../contracts/errors.js';
import type { Audience } from '../../contracts/metadata.js';
import { guardedInterface, isAddressAllowed } from '../access/address-rules.js';
import { isWithin } from '../access/networks.js';
import { boundEnvironment, type Principal, type Surface } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';

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

/** Decisions 2.26. The allowlist of the project does not apply to super-admins. */
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
