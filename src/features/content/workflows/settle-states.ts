import { AppError } from '../../../../contracts/errors.js';
import { Catalog, type CatalogData } from '../../../content/catalog.js';
import {
  initialState,
  stateOf,
  storedState,
  type WorkflowDefinition,
} from '../../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  EntryStatesRepository,
  type ApprovalPlace,
  type CountedGroup,
  type MovedGroup,
} from './workflow.repository.js';

type Workflow = WorkflowDefinition | undefined;

/**
 * The state after a change of workflow. What starts in one workflow starts in the next; other states must exist there.
 * Undefined if the state does not exist any more.
 */
function nextState(before: Workflow, after: WorkflowDefinition, stored: string | null): string | undefined {
  if (before === undefined) return initialState(after);
  const key = stored ?? before.baseState;
  if (before.id !== after.id && key === initialState(before)) return initialState(after);
  return stateOf(after, key)?.key;
}

/** What entries without a workflow store, unless they would lose a state. */
const leaveWorkflow = (before: Workflow, stored: string | null): null | undefined =>
  before === undefined || (stored ?? before.baseState) === initialState(before) ? null : undefined;

/** Undefined if the state does not exist any more. A deleted entry starts again. */
function nextStored(
  { state, isDeleted }: CountedGroup,
  before: Workflow,
  after: Workflow,
): string | null | undefined {
  if (after === undefined) return isDeleted ? null : leaveWorkflow(before, state);
  const key = nextState(before, after, state) ?? (isDeleted ? initialState(after) : undefined);
  return key === undefined ? undefined : storedState(after, key);
}

function conflict(lost: readonly (CountedGroup & { readonly before: Workflow })[]): AppError {
  const counts = new Map<string, number>();
  for (const { state, count, before } of lost) {
    const key = state ?? before?.baseState ?? '';
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const states = [...counts].map(([state, locales]) => ({ state, locales }));
  return new AppError('workflow_state_in_use', { states });
}

/** Who may approve a transition, as text; undefined if it takes no approvals. */
function approversOf({ transitions }: WorkflowDefinition, from: string, to: string): string | undefined {
  const { approvals } = transitions.find((one) => one.from === from && one.to === to) ?? {};
  return approvals
    ? JSON.stringify([[...approvals.roleIds].sort(), approvals.distinctFromAuthor])
    : undefined;
}

/** Transitions of the next workflow for which approvals given before still count (rule workflows/approvals). */
function keptTransitions(before: Workflow, after: Workflow): ApprovalPlace['kept'] {
  if (before === undefined || after === undefined) return [];
  if (before.id !== after.id || before.perLocale !== after.perLocale) return [];
  return after.transitions
    .filter(({ from, to }) => approversOf(after, from, to) === approversOf(before, from, to))
    .map(({ from, to }) => ({ from, to }));
}

/** One for each type and site whose workflow changes. */
function changedPlaces(
  groups: readonly (CountedGroup & { readonly before: Workflow; readonly after: Workflow })[],
): ApprovalPlace[] {
  const changed = groups.filter(({ before, after }) => before !== after);
  const places = changed.map(({ contentTypeId, siteId, before, after }): [string, ApprovalPlace] => [
    `${contentTypeId} ${siteId}`,
    { contentTypeId, siteId, kept: keptTransitions(before, after) },
  ]);
  return [...new Map(places).values()];
}

/**
 * Keeps every entry in a state of its workflow when workflows change, or which of them applies. The number of
 * statements is constant.
 * @throws AppError 409 `workflow_state_in_use`
 */
export async function settleStates(
  work: UnitOfWork,
  before: Catalog,
  change: Partial<CatalogData>,
): Promise<void> {
  const after = new Catalog({ ...before.data, ...change });
  const repository = work.use(EntryStatesRepository);
  const groups = (await repository.groups()).map((group) => ({
    ...group,
    before: before.workflowOf(group),
    after: after.workflowOf(group),
  }));
  const lost = groups.filter((group) => nextStored(group, group.before, group.after) === undefined);
  if (lost.length > 0) throw conflict(lost);
  const moved = groups.flatMap((group): MovedGroup[] => {
    const to = nextStored(group, group.before, group.after) ?? null;
    return to === group.state ? [] : [{ ...group, to }];
  });
  await repository.move(moved);
  const unified = groups.flatMap(({ before: was, after: is, contentTypeId, siteId }) =>
    was?.perLocale === true && is !== undefined && !is.perLocale
      ? [{ contentTypeId, siteId, to: storedState(is, initialState(is)) }]
      : [],
  );
  const places = new Map(unified.map((place) => [`${place.contentTypeId} ${place.siteId}`, place]));
  await repository.unify([...places.values()]);
  await repository.dropApprovals(changedPlaces(groups));
}
