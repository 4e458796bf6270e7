import type { Outputs } from '../../api/client.js';

/** The state of an entry in its workflow. */
export type EntryWorkflow = Outputs['entries']['getWorkflow']['data'];
export type Transition = EntryWorkflow['availableTransitions'][number];
type Pending = EntryWorkflow['pendingApprovals'][number];

/** Approvals that count. */
export const givenCount = ({ approvals }: Pick<Pending, 'approvals'>): number =>
  approvals.filter(({ isLapsed }) => !isLapsed).length;

/** Approvals of a transition that count. */
export const givenFor = ({ pendingApprovals }: EntryWorkflow, to: string): number =>
  pendingApprovals.filter((pending) => pending.to === to).reduce((sum, one) => sum + givenCount(one), 0);

export interface TransitionInput {
  readonly comment: string;
  /** Undefined keeps the assignee, null removes them. */
  readonly assigneeId: string | null | undefined;
}

/** What a transition needs that was not given. */
export function missingFor(
  { requireComment, requireAssignee }: Transition,
  { assigneeId: current }: EntryWorkflow,
  { comment, assigneeId = current }: TransitionInput,
): 'comment' | 'assignee' | undefined {
  if (requireComment && comment.trim() === '') return 'comment';
  return requireAssignee && assigneeId === null ? 'assignee' : undefined;
}
