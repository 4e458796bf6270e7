import { AppError } from '../../../contracts/errors.js';
import {
  grantsFor,
  isAllowed,
  isRowAllowed,
  type Rights,
  type Target,
  type Verb,
} from '../../access/grants.js';
import type { WorkScope } from '../../persistence/work/unit-of-work.js';

/** What the actor of a work may do, as the rules of access read it. */
export const rightsOf = ({ grants, environmentSlug }: WorkScope): Rights => ({ grants, environmentSlug });

/** The refusal of a verb (decisions 2.2). */
export function denied(scope: WorkScope, { resource, action }: Verb): AppError {
  const code = scope.origin.interface === 'mcp' ? 'api_key_permission_denied' : 'permission_denied';
  return new AppError(code, { resource, action });
}

/** @throws AppError 403 `permission_denied` */
export function assertAllowed(scope: WorkScope, verb: Verb, target: Target): void {
  if (!isAllowed(rightsOf(scope), verb, target)) throw denied(scope, verb);
}

/** As {@link assertAllowed}, before it is known which locales and fields are written. */
export function assertRowAllowed(scope: WorkScope, verb: Verb, target: Target): void {
  if (!isRowAllowed(rightsOf(scope), verb, target)) throw denied(scope, verb);
}

/** Whether the actor may read a row. */
export const isRowReadable = (scope: WorkScope, resource: Verb['resource'], target: Target): boolean =>
  isRowAllowed(rightsOf(scope), { resource, action: 'read' }, target);

/** Whether a verb's answer depends on what stands above a node: only then is that looked up. */
export const needsNodePaths = (scope: WorkScope, verb: Verb): boolean =>
  grantsFor(rightsOf(scope), verb).some((grant) => grant.scope.treeNodeIds !== undefined);
