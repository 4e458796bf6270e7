import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { Obstacle, EntryWorkflow } from '../../../../../contracts/entries/entries/entry-workflow.js';
import type { WorkflowTransition } from '../../../../../contracts/content/workflows/workflow.js';
import { limits } from '../../../../../contracts/limits.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { refusal } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { hasOneRole } from '../../../shared/editable.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import type { StoredEntry } from '../stored-entry.js';
import { entryPaths, isTransitionPermitted } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import { EntryStateRepository, transitionKey, type StoredApproval } from './entry-state.repository.js';
import { assignmentOf, localesOf, findWorkflowPlace, type WorkflowPlace } from './workflow-places.js';

/** What decides whether the caller can make a transition now. */
interface TransitionFacts {
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

interface Facts extends Pick<TransitionFacts, 'isPermitted' | 'approvals'> {
  /** By {@link transitionKey}. */
  readonly authors: ReadonlyMap<string, readonly string[]>;
}

async function factsOf(work: UnitOfWork, place: WorkflowPlace): Promise<Facts> {
  const { entry, locale, workflow, state } = place;
  const ids = [entry.id];
  const paths = await entryPaths(work, 'transition', ids);
  const isPermitted = isTransitionPermitted(work, entry, { paths, locales: localesOf(entry, locale) });
  const approved = workflow.transitions.filter(({ from, approvals }) => from === state && approvals !== null);
  const states = work.use(EntryStateRepository);
  const given = { entryId: entry.id, locale };
  const [approvals, authors] = await Promise.all([
    states.approvalsOf(approved.length === 0 ? [] : [given]),
    states.authorsOf(approved.map(({ from, to }) => ({ ...given, from, to }))),
  ]);
  return { isPermitted, approvals, authors };
}

const presentApproval = ({ by, at, comment, isLapsed }: StoredApproval) => ({
  by,
  at: at.toISOString(),
  comment,
  isLapsed,
});

const presentTransition = ({ to, name, requireComment, requireAssignee, approvals }: WorkflowTransition) => ({
  to,
  name,
  requireComment,
  requireAssignee,
  requiredApprovals: approvals?.required ?? 0,
});

function transitionsOf(
  work: UnitOfWork,
  { entry, locale, workflow, state }: WorkflowPlace,
  { authors, ...facts }: Facts,
): Pick<EntryWorkflow, 'availableTransitions' | 'unavailableTransitions' | 'pendingApprovals'> {
  const all = workflow.transitions
    .filter(({ from }) => from === state)
    .map((transition) => {
      const key = transitionKey({ entryId: entry.id, locale, from: transition.from, to: transition.to });
      const authorIds = authors.get(key) ?? [];
      return { transition, reason: obstacleTo(work, transition, { ...facts, authorIds }) };
    });
  return {
    availableTransitions: all.flatMap(({ transition, reason }) =>
      reason === undefined ? [presentTransition(transition)] : [],
    ),
    unavailableTransitions: all.flatMap(({ transition: { to, name }, reason }) =>
      reason === undefined ? [] : [{ to, name, reason }],
    ),
    pendingApprovals: all.flatMap(({ transition: { from, to, approvals } }) => {
      const given = facts.approvals.filter((one) => one.from === from && one.to === to).map(presentApproval);
      return approvals === null || given.length === 0
        ? []
        : [{ to, required: approvals.required, approvals: given }];
    }),
  };
}

/** The workflow of an entry as its operations return it. */
export async function showWorkflow(work: UnitOfWork, place: WorkflowPlace): Promise<EntryWorkflow> {
  const { entry, locale, workflow, state } = place;
  const facts = await factsOf(work, place);
  const stored = await work
    .use(EntryStateRepository)
    .history({ entryId: entry.id, locale }, limits.workflowHistory);
  const history = stored.map(({ at, ...step }) => ({
    ...step,
    at: at.toISOString(),
    approvals: [...step.approvals],
  }));
  const { assigneeId, dueAt } = assignmentOf(place);
  const [last] = history;
  return {
    entryId: entry.id,
    version: entry.version,
    workflowSlug: workflow.slug,
    locale: locale === '' ? null : locale,
    state,
    enteredAt: last?.at ?? entry.createdAt.toISOString(),
    enteredBy: last?.by ?? entry.createdBy,
    assigneeId,
    dueAt: dueAt?.toISOString() ?? null,
    ...transitionsOf(work, place, facts),
    history,
  };
}

/** Of an entry to which no workflow applies (rule workflows/choice). */
function withoutWorkflow(entry: StoredEntry): EntryWorkflow {
  const { assigneeId, dueAt } = assignmentOf({ entry, locale: '' });
  return {
    entryId: entry.id,
    version: entry.version,
    workflowSlug: null,
    locale: null,
    state: null,
    enteredAt: entry.createdAt.toISOString(),
    enteredBy: entry.createdBy,
    assigneeId,
    dueAt: dueAt?.toISOString() ?? null,
    availableTransitions: [],
    unavailableTransitions: [],
    pendingApprovals: [],
    history: [],
  };
}

export async function getEntryWorkflow(
  work: UnitOfWork,
  { id, locale }: InputOf<typeof entries.getWorkflow>,
): Promise<{ data: EntryWorkflow }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(id, noValues);
  const place = findWorkflowPlace(catalog, entry, locale);
  return { data: place === undefined ? withoutWorkflow(entry) : await showWorkflow(work, place) };
}
