import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { presentState } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import {
  type Applied,
  catchRefusal,
  isAdmitted,
  isRefusal,
  type LocaleTarget,
  type Refusal,
  singleOutcome,
} from '../publication/locale-targets.js';
import {
  assignedEvent,
  approvalEvent,
  workflowEvent,
  assignmentOf,
  localesOf,
  workflowPlace,
  type WorkflowPlace,
} from './workflow-places.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { WorkflowTransition } from '../../../../../contracts/content/workflows/workflow.js';
import { storedState } from '../../../../content/workflow/workflow-definition.js';
import { assertVersion, entryPaths, isTransitionPermitted } from '../access/entry-rights.js';
import { noValues } from '../anchored-values.js';
import type { StoredEntry } from '../stored-entry.js';
import { assertMember } from './assign-entries.js';
import {
  EntryStateRepository,
  transitionKey,
  type StateChange,
  type StoredApproval,
  type TransitionPlace,
} from './entry-state.repository.js';
import { assertComplete, obstacleError, obstacleTo, validApprovals, showWorkflow } from './show-workflow.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { EntryWorkflow } from '../../../../../contracts/entries/entries/entry-workflow.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';

interface Transitioned extends Applied {
  readonly from: string;
  readonly to: string;
  /** Whether approvals are missing, so that the state did not change. */
  readonly isPending: boolean;
}

/** Records and events of one entry that entered a state or was approved. */
function noteTransition(
  work: UnitOfWork,
  catalog: Catalog,
  outcome: Transitioned & { readonly comment: string | null; readonly isAlong: boolean },
): void {
  const { before, after, locale, from, to, isPending, comment, isAlong } = outcome;
  const data = presentState(after, locale, catalog);
  const was = presentState(before, locale, catalog);
  const note = { ...(comment !== null && { comment }) };
  const action = isPending ? 'entry.approve' : 'entry.transition';
  const event = isPending ? approvalEvent : workflowEvent;
  work.use(EntryRepository).note({
    action,
    entry: after,
    locale,
    isAlong,
    before: { workflow: was.workflow, assigneeId: was.assigneeId },
    after: {
      workflow: data.workflow,
      assigneeId: data.assigneeId,
      ...(isPending && { approved: to }),
      ...note,
    },
  });
  work.emit(event(data, { from, to, comment }));
  if (was.assigneeId !== data.assigneeId) work.emit(assignedEvent(data));
}

/** Targets of one call. Must be distinct. */
interface Group {
  readonly catalog: Catalog;
  readonly targets: readonly LocaleTarget[];
  /** Whether the call records itself. */
  readonly isAlong?: boolean;
}

/** What every target of a call is asked to do. */
interface Step {
  readonly to: string;
  readonly comment?: string | undefined;
  readonly assigneeId?: string | null | undefined;
  readonly dueAt?: Date | null | undefined;
}

interface Candidate extends WorkflowPlace {
  readonly id: string;
  readonly transition: WorkflowTransition;
  readonly isPermitted: boolean;
}

/** @throws AppError 409 `invalid_transition` with the states that can be entered */
function transitionFrom({ workflow, state }: WorkflowPlace, { to }: Step): WorkflowTransition {
  const possible = workflow.transitions.filter((one) => one.from === state);
  const found = possible.find((one) => one.to === to);
  if (found !== undefined) return found;
  throw new AppError('invalid_transition', { state, allowed: possible.map((one) => one.to) });
}

async function lockCandidates(
  work: UnitOfWork,
  { catalog, targets }: Group,
  step: Step,
): Promise<(Candidate | Refusal)[]> {
  const entries = await work.use(EntryRepository).lockAll(
    targets.map(({ id }) => id),
    noValues,
  );
  const ids = [...entries.keys()];
  const paths = await entryPaths(work, 'transition', ids);
  return targets.map(({ id, locale, version }) =>
    catchRefusal(id, () => {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw new AppError('entry_not_found');
      const place = workflowPlace(catalog, entry, locale);
      const locales = localesOf(entry, place.locale);
      const isPermitted = isTransitionPermitted(work, entry, { paths, locales });
      if (!isPermitted) throw obstacleError(work, 'permission_denied');
      assertVersion(entry, version);
      return { id, ...place, transition: transitionFrom(place, step), isPermitted };
    }),
  );
}

const stateKey = ({ entryId, locale }: { entryId: string; locale: string }): string => `${entryId} ${locale}`;
const placeOf = ({ entry, locale }: Candidate) => ({ entryId: entry.id, locale });

const transitionPlaceOf = (candidate: Candidate): TransitionPlace => ({
  ...placeOf(candidate),
  from: candidate.transition.from,
  to: candidate.transition.to,
});

interface Checked extends Candidate {
  /** Approvals by others that count before this call. */
  readonly approved: readonly StoredApproval[];
}

/** Two statements if any transition needs approvals, else none. */
async function checkCandidates(
  work: UnitOfWork,
  candidates: readonly Candidate[],
  step: Step,
): Promise<(Checked | Refusal)[]> {
  const approving = candidates.filter(({ transition }) => transition.approvals !== null);
  const states = work.use(EntryStateRepository);
  const [approvals, authors] = await Promise.all([
    states.approvalsOf(approving.map(placeOf)),
    states.authorsOf(approving.map(transitionPlaceOf)),
  ]);
  const byPlace = Map.groupBy(approvals, stateKey);
  return candidates.map((candidate) =>
    catchRefusal(candidate.id, () => {
      const { transition, isPermitted } = candidate;
      const given = byPlace.get(stateKey(placeOf(candidate))) ?? [];
      const facts = {
        isPermitted,
        authorIds: authors.get(transitionKey(transitionPlaceOf(candidate))) ?? [],
        approvals: given,
      };
      const reason = obstacleTo(work, transition, facts);
      if (reason !== undefined) throw obstacleError(work, reason);
      const { assigneeId = assignmentOf(candidate).assigneeId, comment } = step;
      assertComplete(transition, { comment, assigneeId });
      const { id: self } = work.scope.actor;
      return {
        ...candidate,
        approved: validApprovals(transition, given).filter(({ userId }) => userId !== self),
      };
    }),
  );
}

const isComplete = ({ transition, approved }: Checked): boolean =>
  transition.approvals === null || approved.length + 1 >= transition.approvals.required;

function changeOf(work: UnitOfWork, checked: Checked, { to, comment: given }: Step): StateChange {
  const { workflow, state, approved, transition } = checked;
  const comment = given ?? null;
  const own = { by: work.scope.actor, at: work.now.toISOString(), comment };
  const former = approved.map(({ by, at, comment: note }) => ({ by, at: at.toISOString(), comment: note }));
  const approvals = transition.approvals === null ? [] : [...former, own];
  return { ...placeOf(checked), from: state, to, stored: storedState(workflow, to), comment, approvals };
}

function entryAfter({ entry, locale, workflow, ...checked }: Checked, step: Step): StoredEntry {
  const isOf = (code: string) => locale === '' || locale === code;
  const entered = isComplete({ entry, locale, workflow, ...checked }) && {
    workflowState: storedState(workflow, step.to),
  };
  const assigned = {
    ...(step.assigneeId !== undefined && { assigneeId: step.assigneeId }),
    ...(step.dueAt !== undefined && { dueAt: step.dueAt }),
  };
  const locales = entry.locales.map((state) =>
    isOf(state.locale) ? { ...state, ...entered, ...assigned } : state,
  );
  return { ...entry, locales };
}

async function write(work: UnitOfWork, checked: readonly Checked[], step: Step): Promise<void> {
  const states = work.use(EntryStateRepository);
  const { to, comment = null, assigneeId, dueAt } = step;
  const pending = checked.filter((one) => !isComplete(one));
  await states.enter(checked.filter(isComplete).map((one) => changeOf(work, one, step)));
  await states.approve(
    pending.map((one) => ({ ...placeOf(one), from: one.state, to, comment, version: one.entry.version })),
  );
  await states.assign(checked.map((one) => ({ ...placeOf(one), assigneeId, dueAt })));
}

/**
 * Set-based: the number of statements is constant. A transition that needs approvals counts the call as one. Every
 * changed entry has its audit record and event.
 */
export async function transitionEntries(
  work: UnitOfWork,
  { catalog, targets, isAlong = false }: Group,
  step: Step,
): Promise<(Transitioned | Refusal)[]> {
  const candidates = await lockCandidates(work, { catalog, targets }, step);
  if (typeof step.assigneeId === 'string') await assertMember(work, step.assigneeId);
  const checked = await checkCandidates(work, candidates.filter(isAdmitted), step);
  await write(work, checked.filter(isAdmitted), step);
  const outcomes = new Map<string, Transitioned | Refusal>();
  for (const one of [...candidates.filter(isRefusal), ...checked])
    outcomes.set(one.id, isRefusal(one) ? one : transitioned(work, catalog, { checked: one, step, isAlong }));
  return targets.flatMap(({ id }) => outcomes.get(id) ?? []);
}

/** The outcome, with its audit record and events. */
function transitioned(
  work: UnitOfWork,
  catalog: Catalog,
  { checked, step, isAlong }: { checked: Checked; step: Step; isAlong: boolean },
): Transitioned {
  const { id, shown: locale, entry: before, state: from } = checked;
  const after = entryAfter(checked, step);
  const isPending = !isComplete(checked);
  const outcome = { id, locale, before, after, isChanged: true, from, to: step.to, isPending };
  noteTransition(work, catalog, { ...outcome, isAlong, comment: step.comment ?? null });
  return outcome;
}

/** Makes a transition, or counts an approval of it. */
export async function transitionEntry(
  work: UnitOfWork,
  { id, locale, version, to, comment, assigneeId, dueAt }: InputOf<typeof entries.transition>,
): Promise<{ data: EntryWorkflow }> {
  const catalog = await work.use(CatalogRepository).current();
  const due = typeof dueAt === 'string' ? new Date(dueAt) : dueAt;
  const step = { to, comment, assigneeId: assigneeId?.toLowerCase() ?? assigneeId, dueAt: due };
  const outcomes = await transitionEntries(work, { catalog, targets: [{ id, locale, version }] }, step);
  const { after } = singleOutcome(outcomes);
  return { data: await showWorkflow(work, workflowPlace(catalog, after, locale)) };
}
