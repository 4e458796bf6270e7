import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Action } from '../../../../contracts/rights.js';
import type {
  BulkAction,
  BulkItem,
  BulkParams,
  BulkResult,
} from '../../../../contracts/entries/bulk/bulk.js';
import { isPermitted, refusal } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  CountSlotRepository,
  isAdmitted,
  isRefusal,
  type Refusal,
  assignEntries,
  brief,
  presentState,
  transitionEntries,
  type Outcome,
  deleteEntries,
  EntryRepository,
  noteAlong,
  publishLocales,
  scheduleLocales,
  unpublishLocales,
} from '../entries/index.js';
import {
  refusedItem,
  type BulkCall,
  type BulkWork,
  type Done,
  bulkDuplicate,
  bulkMove,
} from './sequential.js';
import { BulkRecordRepository } from './bulk-record.repository.js';
import { addEntriesToRelease } from '../releases/index.js';
import type { AuditAction } from '../../../../contracts/change-names.js';
import type { JobKind } from '../../../../contracts/entries/schedules/schedule.js';
import { futureTime } from '../schedules/index.js';

/** As for a single entry. */
const alongOptions = ({ withDependencies = false }: BulkParams) => ({
  withDependencies,
});

const targetsOf = ({ ids, params }: BulkCall) => ids.map((id) => ({ id, locale: params.locale }));

/** Records each changed entry. */
function doneOf(
  work: UnitOfWork,
  { catalog }: BulkCall,
  { action, outcome }: { action: AuditAction; outcome: Outcome },
): Done | Refusal {
  if (isRefusal(outcome)) return outcome;
  const { id, locale, after: entry, isChanged } = outcome;
  const item = { entryId: id, ok: true, version: entry.version };
  if (!isChanged) return { item, before: null, after: null };
  const before = brief(presentState(outcome.before, locale, catalog));
  const after = brief(presentState(entry, locale, catalog));
  work.use(EntryRepository).note({ action, entry, locale, before, after, isAlong: true });
  return { item, before, after };
}

async function schedule(work: UnitOfWork, call: BulkCall, kind: JobKind): Promise<(Done | Refusal)[]> {
  const { catalog, params } = call;
  const time = await futureTime(work, params, ['params']);
  if (time === undefined) throw new Error('a schedule without a time');
  const options = kind === 'publish' ? alongOptions(params) : {};
  const request = { kind, targets: targetsOf(call), time, options };
  const outcomes = await scheduleLocales(work, catalog, request);
  return outcomes.map((outcome) => {
    if (isRefusal(outcome)) return outcome;
    const { id, entry, job, replaced } = outcome;
    return {
      item: {
        entryId: id,
        ok: true,
        version: entry.version,
        jobId: job.jobId,
        ...(replaced.length > 0 && { replaced: [...replaced] }),
      },
      before: null,
      after: { ...job },
    };
  });
}

const isLater = ({ params }: BulkCall): boolean =>
  params.scheduledAt !== undefined || params.timezone !== undefined;

const bulkPublish: BulkWork = async (work, call) => {
  if (isLater(call)) return schedule(work, call, 'publish');
  const { catalog, params } = call;
  const request = { targets: targetsOf(call), ...alongOptions(params) };
  const { outcomes, along } = await publishLocales(work, catalog, request);
  noteAlong(work, catalog, along);
  return outcomes.map((outcome) => doneOf(work, call, { action: 'entry.publish', outcome }));
};

const bulkUnpublish: BulkWork = async (work, call) => {
  if (isLater(call)) return schedule(work, call, 'unpublish');
  const outcomes = await unpublishLocales(work, call.catalog, { targets: targetsOf(call) });
  return outcomes.map((outcome) => doneOf(work, call, { action: 'entry.unpublish', outcome }));
};

const bulkDelete: BulkWork = async (work, call) => {
  const outcomes = await deleteEntries(work, call.catalog, targetsOf(call));
  return outcomes.map((outcome) => doneOf(work, call, { action: 'entry.delete', outcome }));
};

/** Each entry has its own record already. */
function recordedAlready({ catalog }: BulkCall, outcome: Outcome): Done | Refusal {
  if (isRefusal(outcome)) return outcome;
  const { id, locale, before, after, isChanged } = outcome;
  const item = { entryId: id, ok: true, version: after.version };
  if (!isChanged) return { item, before: null, after: null };
  const [was, is] = [before, after].map((entry) => {
    const shown = presentState(entry, locale, catalog);
    return { ...brief(shown), workflow: shown.workflow, assigneeId: shown.assigneeId };
  });
  return { item, before: was ?? null, after: is ?? null };
}

/** A transition that needs approvals counts one of the caller for each entry. */
const bulkTransition: BulkWork = async (work: UnitOfWork, call) => {
  const { to = '', comment } = call.params;
  const group = { catalog: call.catalog, targets: targetsOf(call), isAlong: true };
  const outcomes = await transitionEntries(work, group, { to, comment });
  return outcomes.map((outcome) => recordedAlready(call, outcome));
};

const bulkAssign: BulkWork = async (work, call) => {
  const { assigneeId = null } = call.params;
  const group = { catalog: call.catalog, targets: targetsOf(call) };
  const outcomes = await assignEntries(work, group, assigneeId?.toLowerCase() ?? null);
  return outcomes.map((outcome) => recordedAlready(call, outcome));
};

/** The release has the record. */
const bulkAddToRelease: BulkWork = async (work, { catalog, ids, params }) => {
  const { releaseId = '', locale } = params;
  const outcomes = await addEntriesToRelease(work, catalog, { releaseId, ids, locale });
  return outcomes.map((outcome) =>
    isRefusal(outcome)
      ? outcome
      : { item: { entryId: outcome.id, ok: true, version: outcome.version }, before: null, after: null },
  );
};

type Input = InputOf<typeof entries.bulk>;
type Param = Exclude<keyof BulkParams, 'atomic'>;

interface Definition {
  readonly permission: Action;
  readonly params: readonly Param[];
  readonly required?: readonly Param[];
  readonly run: BulkWork;
}

const definitions = {
  publish: {
    permission: 'publish',
    params: ['locale', 'scheduledAt', 'timezone', 'withDependencies'],
    run: bulkPublish,
  },
  unpublish: { permission: 'unpublish', params: ['locale', 'scheduledAt', 'timezone'], run: bulkUnpublish },
  delete: { permission: 'delete', params: [], run: bulkDelete },
  move: {
    permission: 'update',
    params: ['treeParentId', 'position'],
    required: ['treeParentId'],
    run: bulkMove,
  },
  duplicate: { permission: 'create', params: ['siteId', 'treeParentId'], run: bulkDuplicate },
  workflowTransition: {
    permission: 'transition',
    params: ['to', 'comment', 'locale'],
    required: ['to'],
    run: bulkTransition,
  },
  assign: {
    permission: 'update',
    params: ['assigneeId', 'locale'],
    required: ['assigneeId'],
    run: bulkAssign,
  },
  addToRelease: {
    permission: 'read',
    params: ['releaseId', 'locale'],
    required: ['releaseId'],
    run: bulkAddToRelease,
  },
} as const satisfies Record<BulkAction, Definition>;

/** @throws AppError 422 for unknown or missing params */
function definitionOf({ action, params }: Input): Definition {
  const definition: Definition = definitions[action];
  const { atomic: _atomic, ...given } = params;
  const unknown = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !definition.params.includes(name as Param))
    .map(([name]) => ({
      path: ['params', name],
      code: 'unrecognized_key',
      message: `${action} does not accept ${name}.`,
    }));
  const missing = (definition.required ?? [])
    .filter((name) => given[name] === undefined)
    .map((name) => ({ path: ['params', name], code: 'required', message: `${action} requires ${name}.` }));
  const issues = [...unknown, ...missing];
  if (issues.length > 0) throw invalidInput(...issues);
  return definition;
}

async function outcomesOf(
  work: UnitOfWork,
  { permission, run }: Definition,
  call: BulkCall,
): Promise<(Done | Refusal)[]> {
  const verb = `entries.${permission}` as const;
  if (isPermitted(work, verb)) return run(work, call);
  const error = refusal(work, verb);
  return call.ids.map((id) => ({ id, error }));
}

function resultOf(action: BulkAction, results: readonly BulkItem[]): BulkResult {
  const failed = results.filter(({ ok }) => !ok).length;
  return { action, total: results.length, succeeded: results.length - failed, failed, results: [...results] };
}

/** Nothing is applied; entries that would have succeeded report it. */
function failureOf(action: BulkAction, results: readonly BulkItem[]): AppError {
  const message = 'Not applied, because other entries could not be changed.';
  const items = results.map((item) =>
    item.ok ? { entryId: item.entryId, ok: false, error: 'bulk_failed', message } : item,
  );
  return new AppError('bulk_failed', resultOf(action, items));
}

/** One transaction, one audit record. */
export async function bulkEntries(work: UnitOfWork, input: Input): Promise<{ data: BulkResult }> {
  const { action, params, projectSlug } = input;
  const definition = definitionOf(input);
  work.use(CountSlotRepository).useOne();
  const catalog = await work.use(CatalogRepository).current();
  const ids = [...new Set(input.entryIds.map((id) => id.toLowerCase()))];
  const outcomes = await outcomesOf(work, definition, { catalog, projectSlug, ids, params });
  const results = outcomes.map((outcome) =>
    isRefusal(outcome) ? refusedItem(outcome.id, outcome.error) : outcome.item,
  );
  if (params.atomic && results.some(({ ok }) => !ok)) throw failureOf(action, results);
  work.use(BulkRecordRepository).note(action, outcomes.filter(isAdmitted));
  return { data: resultOf(action, results) };
}
