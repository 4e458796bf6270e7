import { useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';

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

interface State {
  readonly key: string;
  readonly name: string;
  readonly color: string | null;
}

const STATES_MILLISECONDS = 60_000;

/** Finds a state of a workflow, if any applies. For those who may not read workflows, it has no name but its key. */
export function useStates(workflowSlug: string | null): (key: string) => State {
  const { slug: projectSlug, may } = useProject();
  const { data } = useQuery(
    api.workflows.get.queryOptions(
      { projectSlug, workflowSlug: workflowSlug ?? '' },
      { enabled: workflowSlug !== null && may('workflows.get'), staleTime: STATES_MILLISECONDS },
    ),
  );
  return (key) => data?.data.states.find((state) => state.key === key) ?? { key, name: key, color: null };
}

/** A state with its color. */
export function StateBadge({ state: { name, color } }: { readonly state: State }) {
  return (
    <span className="badge state">
      {color !== null && (
        <span aria-hidden="true" className="state-color" style={{ backgroundColor: color }} />
      )}
      {name}
    </span>
  );
}
