import { AppError } from '../../../../contracts/errors.js';
import type { Action } from '../../../../contracts/rights.js';
import { authorize, isPermitted } from '../../../access/authorize.js';
import { readableValues } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';

/** The site of a redirect, and its locales before and after the change. */
export interface RedirectPlace {
  readonly siteId: string;
  readonly locales: readonly (string | null)[];
}

/** Sites whose redirects the actor may read; null for all. */
export const readableSiteIds = ({ scope }: UnitOfWork): readonly string[] | null =>
  readableValues(scope, 'redirects', 'siteIds');

/**
 * Authorizes an action on a redirect.
 * @throws AppError 404 `redirect_not_found` for one that they may not read, else 403 `permission_denied`
 */
export function authorizeRedirect(
  work: UnitOfWork,
  place: RedirectPlace,
  action: 'create' | 'update' | 'delete',
): void {
  if (action !== 'create' && !isPermitted(work, 'redirects.read', place))
    throw new AppError('redirect_not_found');
  authorize(work, `redirects.${action}`, place);
}

/** Whether an import may write here; its mode needs `actions`. */
export function mayImport(work: UnitOfWork, place: RedirectPlace, actions: readonly Action[]): boolean {
  // What a replacement deletes may be of any locale.
  const target = actions.includes('delete') ? { ...place, locales: [null] } : place;
  return actions.every((action) => isPermitted(work, `redirects.${action}`, target));
}
