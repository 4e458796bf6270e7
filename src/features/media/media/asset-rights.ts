import { AppError } from '../../../../contracts/errors.js';
import type { Action } from '../../../../contracts/rights.js';
import { isPermitted, refusal } from '../../../access/authorize.js';
import { grantsFor, type Grant, type Target } from '../../../access/grants.js';
import type { UnitOfWork, WorkScope } from '../../../persistence/work/unit-of-work.js';
import type { Bind } from '../../shared/readable-entries.js';
import type { StoredAsset } from './stored-asset.js';

type Owned = Pick<StoredAsset, 'siteIds' | 'createdBy'>;

/** Assets have neither types nor tree nodes, so grants limited to some reach none. */
const reachesMedia = ({ scope }: Grant): boolean =>
  scope.contentTypes === undefined && scope.treeNodeIds === undefined;

/**
 * SQL condition for assets `a` that the actor can read; null if all. A grant limited to sites reads the assets of
 * these sites and of every site (rule media/sites).
 */
export function readableAssets(scope: WorkScope, bind: Bind): string | null {
  if (scope.grants === null) return null;
  const grants = grantsFor(scope, 'media.read').filter(reachesMedia);
  const isWhole = ({ scope: limits }: Grant): boolean =>
    limits.siteIds === undefined && limits.ownOnly === undefined;
  if (grants.some(isWhole)) return null;
  const conditions = grants.map(({ scope: { siteIds, ownOnly } }) =>
    [
      ...(siteIds === undefined ? [] : [`(a.site_ids = '{}' OR a.site_ids && ${bind(siteIds)}::uuid[])`]),
      ...(ownOnly === undefined ? [] : [`a.created_by_id = ${bind(scope.actor.id ?? '')}`]),
    ].join(' AND '),
  );
  return conditions.length === 0 ? 'false' : `(${conditions.map((one) => `(${one})`).join(' OR ')})`;
}

/** Assets are public at once. */
const targetOf = ({ scope }: UnitOfWork, { createdBy }: Pick<Owned, 'createdBy'>): Target => ({
  isOwn: createdBy.id !== null && createdBy.id === scope.actor.id && createdBy.type === scope.actor.type,
  isLive: true,
});

type MediaVerb = `media.${Extract<Action, 'create' | 'update' | 'delete'>}`;

const verbOf = (action: 'create' | 'update' | 'delete'): MediaVerb => `media.${action}`;

/** Written locales, for grants limited to some; none: values of every locale. */
export interface AssetChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly locales?: readonly (string | null)[];
}

/**
 * A grant limited to sites reaches assets that name one of them.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeAsset(
  work: UnitOfWork,
  asset: Owned,
  { action, locales = [null] }: AssetChange,
): void {
  const target = { ...targetOf(work, asset), locales };
  const verb = verbOf(action);
  const sites = asset.siteIds.length === 0 ? [null] : asset.siteIds;
  if (sites.some((siteId) => isPermitted(work, verb, { ...target, siteId }))) return;
  throw refusal(work, verb, { ...target, siteId: sites[0] ?? null });
}

/**
 * Every site that an asset comes to name must be within the grants.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeSites(
  work: UnitOfWork,
  asset: Owned,
  { action, added }: { readonly action: 'create' | 'update'; readonly added: readonly string[] },
): void {
  const target = { ...targetOf(work, asset), locales: [null] };
  const verb = verbOf(action);
  const sites = asset.siteIds.length === 0 ? [null] : added;
  const refused = sites.find((siteId) => !isPermitted(work, verb, { ...target, siteId }));
  if (refused !== undefined) throw refusal(work, verb, { ...target, siteId: refused });
}

/** Folders belong to every site. */
export function authorizeFolder(work: UnitOfWork, action: 'create' | 'update' | 'delete'): void {
  const target = { siteId: null, isLive: true };
  if (!isPermitted(work, verbOf(action), target)) throw refusal(work, verbOf(action), target);
}

/** @throws AppError 404 `site_not_found` */
export function assertSites(known: (id: string) => unknown, siteIds: readonly string[]): void {
  const unknown = siteIds.findIndex((id) => known(id) === undefined);
  if (unknown >= 0) throw new AppError('site_not_found', { path: ['siteIds', unknown] });
}
