import { AppError } from '../../contracts/errors.js';
import type { ErrorCode } from '../../contracts/error-codes.js';
import type { OperationMeta, Resource } from '../../contracts/metadata.js';
import type { Action, ProjectResource } from '../../contracts/rights.js';
import {
  grantsFor,
  includesValue,
  isAllowed,
  isPermittedEverywhere,
  isPermittedSomewhere,
  sharedGrants,
  verbOf,
  type Grant,
  type Rights,
  type Scope,
  type Target,
  type VerbName,
} from './grants.js';
import { rememberedKeyGrants } from './key-grants.js';
import { isKey, type Principal, type Surface } from './principal.js';

/** Key types that a surface or audience accepts (specification section 5). */
function acceptedTypes(audience: OperationMeta['audience'], surface: Surface): readonly string[] {
  if (surface === 'mcp') return ['management', 'preview'];
  if (surface === 'graphql' || audience === 'delivery') return ['delivery', 'preview', 'management'];
  return ['management'];
}

/** What lets callers in: a personal key that leaks must not make itself permanent. */
const accessResources: ReadonlySet<Resource> = new Set(['apiKeys', 'users', 'roles', 'ipAllowlist']);

const changesAccess = (
  principal: Principal,
  { resource, action }: Pick<OperationMeta, 'resource' | 'action'>,
): boolean =>
  (principal.kind === 'user' || isHeld(principal)) && accessResources.has(resource) && action !== 'read';

/**
 * Whether this kind of principal may use the operation.
 * @throws AppError `wrong_key_type`, `super_admin_required`
 */
export function assertAccepted(principal: Principal, { audience }: OperationMeta, surface: Surface): void {
  if (audience === 'session') return;
  if (audience === 'account') {
    if (principal.kind !== 'user' || isKey(principal)) throw new AppError('wrong_key_type', { accepted: [] });
    return;
  }
  if (audience === 'platform') {
    if (principal.kind !== 'user' || isKey(principal) || !principal.isSuperAdmin)
      throw new AppError('super_admin_required');
    return;
  }
  if (principal.kind !== 'api_key') return;
  const accepted = acceptedTypes(audience, surface);
  if (!accepted.includes(principal.type)) throw new AppError('wrong_key_type', { accepted });
}

/** Grants in the environment of the call; null permits everything. */
export function grantsOf(principal: Principal, environmentSlug: string | null): readonly Grant[] | null {
  if (principal.kind === 'user') return principal.grants;
  if (principal.kind !== 'api_key') return null;
  const own = rememberedKeyGrants(principal, environmentSlug);
  return principal.holderId === null ? own : sharedGrants(own, principal.holder?.grants);
}

/** Acts for a user, whose rights bound it. */
const isHeld = (principal: Principal): boolean => principal.kind === 'api_key' && principal.holderId !== null;

const anyAction = ['read', 'create', 'update', 'delete', 'publish', 'unpublish', 'transition'] as const;

const wantedActions = (action: OperationMeta['action']): readonly Action[] =>
  action === 'any' ? anyAction : [action];

/** Resources that use cases authorize row by row. */
const byRow: ReadonlySet<Resource> = new Set([
  'entries',
  'contentTypes',
  'tree',
  'sites',
  'redirects',
  'media',
  'translations',
  'governance',
  'reports',
]);

/**
 * Whether grants permit the operation at all; use cases check rows.
 * @throws AppError `permission_denied`, for agents `api_key_permission_denied`
 */
export function assertPermitted(
  principal: Principal,
  { audience, resource, action, sessionOnly, ownersOnly, aboutCaller }: OperationMeta,
  { surface, environmentSlug }: { surface: Surface; environmentSlug: string | null },
): void {
  if (audience !== 'management' && audience !== 'delivery') return;
  if (isKey(principal) && (sessionOnly === true || changesAccess(principal, { resource, action })))
    throw denied(surface === 'mcp', { resource, action });
  if (ownersOnly === true && !(principal.kind === 'user' && principal.isOwner && !isKey(principal)))
    throw denied(surface === 'mcp', { resource, action, role: 'owner' });
  const rights = { grants: grantsOf(principal, environmentSlug), environmentSlug };
  if (rights.grants === null || (aboutCaller === true && rights.grants.length > 0)) return;
  const wanted = wantedActions(action);
  // Other resources have no row checks, so a grant for some rows permits none.
  const isAnyRowEnough = (principal.kind !== 'user' && !isHeld(principal)) || byRow.has(resource);
  const isPermitted = isAnyRowEnough ? isPermittedSomewhere : isPermittedEverywhere;
  if (wanted.some((one) => isPermitted(rights, `${resource as ProjectResource}.${one}`))) return;
  throw denied(surface === 'mcp', { resource, action });
}

/** Surfaces where sessions are accepted accept them for these. */
export const servesSessions = ({ audience }: OperationMeta): boolean =>
  audience === 'management' || audience === 'platform' || audience === 'account';

/** Whether the gate admits a call, apart from its project and its rate. */
export function mayCall(
  principal: Principal,
  operation: OperationMeta,
  call: { surface: Surface; environmentSlug: string | null },
): boolean {
  if (principal.kind === 'user' && operation.audience !== 'session' && !servesSessions(operation))
    return false;
  try {
    assertAccepted(principal, operation, call.surface);
    assertPermitted(principal, operation, call);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Scopes of the grants that permit an operation. */
export function permittingScopes(
  rights: Rights,
  { audience, resource, action, aboutCaller }: OperationMeta,
): readonly Scope[] {
  if (aboutCaller === true || (audience !== 'management' && audience !== 'delivery')) return [];
  return wantedActions(action)
    .flatMap((one) => grantsFor(rights, `${resource as ProjectResource}.${one}`))
    .map(({ scope }) => scope)
    .filter(({ duringWrites }) => duringWrites === undefined);
}

function denied(isAgent: boolean, details: Readonly<Record<string, unknown>>): AppError {
  const code: ErrorCode = isAgent ? 'api_key_permission_denied' : 'permission_denied';
  return new AppError(code, details);
}

export interface Caller {
  readonly scope: Rights & {
    readonly actor: { readonly type: string };
    readonly origin: { readonly interface: string };
  };
}

/** The key's limit that denies a target; sites precede drafts. */
function refusingLimit(rights: Rights, name: VerbName, target: Target): object {
  const scopes = grantsFor(rights, name).map(({ scope }) => scope);
  const { siteId, treeSiteId, isLive } = target;
  if (scopes.length === 0) return {};
  if (siteId !== undefined && !scopes.some(({ siteIds }) => includesValue(siteIds, siteId ?? undefined)))
    return { siteId };
  if (isLive === true && scopes.every(({ draftsOnly }) => draftsOnly)) return { draftOnly: true };
  const isGlobal = treeSiteId === null && scopes.every(({ siteTreesOnly }) => siteTreesOnly);
  return isGlobal ? { siteId: null } : {};
}

/** The error for a verb that is not permitted (rule access/failures). */
export function refusal({ scope }: Caller, name: VerbName, target: Target = {}): AppError {
  const limit = scope.actor.type === 'api_key' ? refusingLimit(scope, name, target) : {};
  return denied(scope.origin.interface === 'mcp', { ...verbOf(name), ...limit });
}

/** Without a target: on any target. */
export const isPermitted = ({ scope }: Caller, name: VerbName, target?: Target): boolean =>
  target === undefined ? isPermittedSomewhere(scope, name) : isAllowed(scope, name, target);

/**
 * The permission check of a use case.
 * @throws AppError 403 `permission_denied`, for agents `api_key_permission_denied`, with `siteId` or `draftOnly` if
 * that limit of a key denies
 */
export function authorize(work: Caller, name: VerbName, target?: Target): void {
  if (!isPermitted(work, name, target)) throw refusal(work, name, target);
}

/**
 * Checks a change of live content that no single target shows, such as live pages below a draft.
 * @throws AppError as {@link authorize}, if the caller may change drafts only
 */
export function authorizeLive(work: Caller, name: VerbName): void {
  const scopes = grantsFor(work.scope, name).map(({ scope }) => scope);
  if (scopes.length > 0 && scopes.every(({ draftsOnly }) => draftsOnly))
    throw refusal(work, name, { isLive: true });
}
