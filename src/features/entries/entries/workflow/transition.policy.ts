import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { Obstacle } from '../../../../../contracts/entries/entries/entry-workflow.js';
import type { WorkflowTransition } from '../../../../../contracts/content/workflows/workflow.js';
import { refusal } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { hasOneRole } from '../../../shared/editable.js';
import type { StoredApproval } from './entry-state.repository.js';

/** What decides whether the caller can make a transition now. */
export interface TransitionFacts {
  readonly isPermitted: boolean;
  /** Actors who changed the content since the transition was last approved; known where it needs approvals. */
  readonly authorIds: readonly string[];
  /** Of the entry in its state. */
  readonly approvals: readonly StoredApproval[];
}

/** Approvals of a transition that count. */
export const validApprovals = (
  { from, to }: Pick<WorkflowTransition, 'from' | 'to'>,
  approvals: readonly StoredApproval[],
): StoredApproval[] => approvals.filter((one) => !one.isLapsed && one.from === from && one.to === to);

/** Approvals are given by users, not by keys (rule workflows/approvals). */
export function obstacleTo(
  work: UnitOfWork,
  transition: WorkflowTransition,
  { isPermitted, authorIds, approvals }: TransitionFacts,
): Obstacle | undefined {
  const { actor } = work.scope;
  if (!isPermitted) return 'permission_denied';
  if (!hasOneRole(work, transition.roleIds)) return 'role_required';
  const needed = transition.approvals;
  if (needed === null) return undefined;
  if (actor.type !== 'user') return 'user_required';
  if (!hasOneRole(work, needed.roleIds)) return 'role_required';
  if (needed.distinctFromAuthor && actor.id !== null && authorIds.includes(actor.id)) return 'own_work';
  const given = validApprovals(transition, approvals);
  // If fewer are required than when they were given, one of those who gave them completes the transition.
  const isRepeated = given.length < needed.required && given.some(({ userId }) => userId === actor.id);
  return isRepeated ? 'already_approved' : undefined;
}

const messages: Partial<Record<Obstacle, string>> = {
  role_required: 'The workflow lets only some roles make this transition.',
  user_required: 'Approvals are given by users. API keys cannot approve.',
  own_work: 'Users who changed the content since its last approval cannot approve it.',
};

export function obstacleError(work: UnitOfWork, reason: Obstacle): AppError {
  if (reason === 'already_approved')
    return new AppError('invalid_transition', { reason }, 'You have approved this content already.');
  const { code, details, message } = refusal(work, 'entries.transition');
  return new AppError(code, { ...(details as object), reason }, messages[reason] ?? message);
}

/** @throws AppError 422 for a missing comment or assignee */
export function assertComplete(
  { requireComment, requireAssignee }: WorkflowTransition,
  given: { readonly comment: string | undefined; readonly assigneeId: string | null },
): void {
  if (requireComment && (given.comment ?? '').trim() === '')
    throw invalidInput({
      path: ['comment'],
      code: 'required',
      message: 'This transition requires a comment.',
    });
  if (requireAssignee && given.assigneeId === null)
    throw invalidInput({
      path: ['assigneeId'],
      code: 'required',
      message: 'This transition requires an assignee.',
    });
}
