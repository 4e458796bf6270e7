import { AppError, type ErrorCode } from '../../contracts/errors.js';
import type { OperationMeta, Resource } from '../../contracts/metadata.js';
import type { Action, ProjectResource } from '../../contracts/rights.js';
import { keyActions, type KeyAction } from '../../contracts/resources/api-key.js';
import { isPermittedEverywhere, isPermittedSomewhere } from './grants.js';
import type { KeyPrincipal, Principal, Surface, UserPrincipal } from './principal.js';

/** Key types that a surface or audience accepts (specification section 5). */
function acceptedTypes(audience: OperationMeta['audience'], surface: Surface): readonly string[] {
  if (surface === 'mcp') return ['management', 'preview'];
  if (surface === 'graphql' || audience === 'delivery') return ['delivery', 'preview', 'management'];
  return ['management'];
}

/**
 * Whether this kind of principal may use an operation at all, whatever it is about.
 * @throws AppError `wrong_key_type`, `super_admin_required`
 */
export function assertAccepted(principal: Principal, { audience }: OperationMeta, surface: Surface): void {
  if (audience === 'session') return;
  if (audience === 'platform') {
    if (principal.kind !== 'user' || !principal.isSuperAdmin) throw new AppError('super_admin_required');
    return;
  }
  if (principal.kind !== 'api_key') return;
  const accepted = acceptedTypes(audience, surface);
  if (!accepted.includes(principal.type)) throw new AppError('wrong_key_type', { accepted });
}

/** The key action that permits an operation; administration and steps of a workflow count as the changes that they are. */
function keyActionOf(action: Action): KeyAction {
  return action === 'manage' || action === 'transition' || action === 'promote' ? 'update' : action;
}

const anyAction = ['read', 'create', 'update', 'delete', 'publish', 'unpublish', 'transition'] as const;

/** Resources whose rows the features' policies tell apart. */
const byRow: ReadonlySet<Resource> = new Set(['entries', 'contentTypes', 'tree', 'sites', 'redirects']);

/** Whether any grant of the user speaks of the operation; which rows it reaches is for the feature's policy. */
function isUserPermitted(
  { isSuperAdmin, grants }: UserPrincipal,
  { resource, action }: OperationMeta,
  environmentSlug: string | null,
): boolean {
  if (isSuperAdmin) return true;
  const rights = { grants, environmentSlug };
  const verbs = (action === 'any' ? anyAction : [action]).map((one) => ({
    resource: resource as ProjectResource,
    action: one,
  }));
  // Where no row is told from another, a grant for some rows permits none.
  const isPermitted = byRow.has(resource) ? isPermittedSomewhere : isPermittedEverywhere;
  return verbs.some((verb) => isPermitted(rights, verb));
}

/** What a key that is limited to drafts may change: entries, and of them nothing that is live. */
const draftActions: readonly Action[] = ['create', 'update', 'delete'];

/** Whether an operation is beyond a key that is limited to drafts. */
function isBeyondDrafts({ resource, action }: OperationMeta): boolean {
  if (action === 'read') return false;
  return resource !== 'entries' || !(action === 'any' || draftActions.includes(action));
}

/** The actions of a key as its work sees them; null means all. */
export function permittedActions({ permissions, isDraftOnly }: KeyPrincipal): readonly KeyAction[] | null {
  if (!isDraftOnly) return permissions.length > 0 ? permissions : null;
  const drafts: readonly KeyAction[] = ['read', 'create', 'update', 'delete'];
  return permissions.length > 0 ? drafts.filter((action) => permissions.includes(action)) : drafts;
}

function isPermitted(key: KeyPrincipal, action: KeyAction): boolean {
  return key.permissions.length === 0 || key.permissions.includes(action);
}

/**
 * Whether the principal may do what the operation does. A delivery key reads whatever its list says.
 * @throws AppError `permission_denied` (REST, tRPC) or `api_key_permission_denied` (agents)
 */
export function assertPermitted(
  principal: Principal,
  operation: OperationMeta,
  { surface, environmentSlug }: { surface: Surface; environmentSlug: string | null },
): void {
  const { audience, resource, action } = operation;
  if (audience === 'session' || audience === 'platform') return;
  const code: ErrorCode = surface === 'mcp' ? 'api_key_permission_denied' : 'permission_denied';
  // Made only when it is thrown: an error costs its stack trace.
  const denied = () => new AppError(code, { resource, action });
  if (principal.kind === 'user') {
    if (!isUserPermitted(principal, operation, environmentSlug)) throw denied();
    return;
  }
  if (principal.kind === 'anonymous') return;
  if (principal.type === 'delivery') {
    if (action !== 'read') throw denied();
    return;
  }
  if (principal.isDraftOnly && isBeyondDrafts(operation)) throw denied();
  if (action !== 'any' && !isPermitted(principal, keyActionOf(action))) throw denied();
}

/**
 * Actions that a creator may hand on to a new key: none that it lacks itself. An empty list asks
 * for all of them.
 */
export function mayGrant(permitted: readonly string[] | null, wanted: readonly string[]): boolean {
  if (permitted === null || permitted.length === 0) return true;
  const asked = wanted.length === 0 ? keyActions : wanted;
  return asked.every((action) => permitted.includes(action));
}
