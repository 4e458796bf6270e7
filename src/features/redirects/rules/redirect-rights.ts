import { AppError } from '../../../../contracts/errors.js';
import type { Action } from '../../../../contracts/rights.js';
import { authorize, isPermitted } from '../../../access/authorize.js';
import { readableValues } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';

/** Site, and locales before and after the change. */
export interface RedirectPlace {
  readonly siteId: string;
  readonly locales: readonly (string | null)[];
}

/** Null for all. */
export const readableSiteIds = ({ scope }: UnitOfWork): readonly string[] | null =>
  readableValues(scope, 'redirects', 'siteIds');

/** @throws AppError 404 `redirect_not_found` if not readable, else 403 `permission_denied` */
export function authorizeRedirect(
  work: UnitOfWork,
  place: RedirectPlace,
  action: 'create' | 'update' | 'delete',
): void {
  if (action !== 'create' && !isPermitted(work, 'redirects.read', place))
    throw new AppError('redirect_not_found');
  authorize(work, `redirects.${action}`, place);
}

/** @param actions required by the import mode */
export function mayImport(work: UnitOfWork, place: RedirectPlace, actions: readonly Action[]): boolean {
  // A replacement may delete redirects of any locale.
  const target = actions.includes('delete') ? { ...place, locales: [null] } : place;
  return actions.every((action) => isPermitted(work, `redirects.${action}`, target));
}
