import { AppError, type ErrorCode } from '../../../contracts/errors.js';
import type { Resource } from '../../../contracts/metadata.js';
import type { Action } from '../../../contracts/rights.js';
import type { WorkScope } from '../../persistence/work/unit-of-work.js';

const deniedCode = ({ origin }: WorkScope): ErrorCode =>
  origin.interface === 'mcp' ? 'api_key_permission_denied' : 'permission_denied';

/**
 * A key that is limited to sites writes to no other one (specification 5 rule 6, decisions 2.30).
 * What belongs to all sites (null) is no site of its own, so it may not write there either.
 * @throws AppError `permission_denied`, to agents `api_key_permission_denied`, with `details.siteId`
 */
export function assertSiteWritable(
  scope: WorkScope,
  siteId: string | null,
  verb: { resource: Resource; action: Action },
): void {
  if (scope.writableSiteIds.length === 0 || (siteId !== null && scope.writableSiteIds.includes(siteId)))
    return;
  throw new AppError(deniedCode(scope), { ...verb, siteId });
}

/**
 * A key that is limited to drafts changes nothing that the public can read.
 * @throws AppError `permission_denied`, to agents `api_key_permission_denied`, with `details.draftOnly`
 */
export function assertMayChangeLive(scope: WorkScope, verb: { resource: Resource; action: Action }): void {
  if (scope.keyBounds?.isDraftOnly !== true) return;
  throw new AppError(deniedCode(scope), { ...verb, draftOnly: true });
}
