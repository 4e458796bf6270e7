import { limits } from '../../../../../contracts/limits.js';
import type { EntryWorkflow } from '../../../../../contracts/entries/entries/entry-workflow.js';
import type { WorkflowTransition } from '../../../../../contracts/content/workflows/workflow.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { StoredEntry } from '../stored-entry.js';
import { entryPaths, isTransitionPermitted } from '../access/entry-rights.js';
import { EntryStateRepository, transitionKey, type StoredApproval } from './entry-state.repository.js';
import { obstacleTo, type TransitionFacts } from './transition.policy.js';
import { assignmentOf, localesOf, type WorkflowPlace, findWorkflowPlace } from './workflow-places.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';

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
