import { AppError } from '../../../../contracts/errors.js';
import type { Action } from '../../../../contracts/rights.js';
import { isAllowed, readableValues } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertAllowed, assertSiteWritable, isRowReadable, rightsOf } from '../../shared/index.js';

/** A redirect as rights see it: its site, and the locales that it has or is to have. */
export interface RedirectPlace {
  readonly siteId: string;
  readonly locales: readonly (string | null)[];
}

/** Sites whose redirects the actor may read; null for all. */
export const readableSiteIds = ({ scope }: UnitOfWork): readonly string[] | null =>
  readableValues(rightsOf(scope), 'redirects', 'siteIds');

/**
 * Whether the actor may do this to a redirect.
 * @throws AppError 404 `redirect_not_found` for one that they may not read, else 403 `permission_denied`
 */
export function assertRedirectAllowed(
  { scope }: UnitOfWork,
  place: RedirectPlace,
  action: 'create' | 'update' | 'delete',
): void {
  const verb = { resource: 'redirects', action } as const;
  assertSiteWritable(scope, place.siteId, verb);
  if (action !== 'create' && !isRowReadable(scope, 'redirects', place))
    throw new AppError('redirect_not_found');
  assertAllowed(scope, verb, place);
}

/** Whether an import may write here: it creates, and does what its mode needs beside. */
export function mayImport({ scope }: UnitOfWork, place: RedirectPlace, more: readonly Action[]): boolean {
  const { writableSiteIds } = scope;
  if (writableSiteIds.length > 0 && !writableSiteIds.includes(place.siteId)) return false;
  // What a replacement deletes may be of any locale.
  const reach = more.includes('delete') ? { ...place, locales: [null] } : place;
  return (['create', ...more] as const).every((action) =>
    isAllowed(rightsOf(scope), { resource: 'redirects', action }, reach),
  );
}
