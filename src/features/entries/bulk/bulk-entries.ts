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
import { bulkDelete, bulkPublish, bulkUnpublish } from './publishing.js';

const targetsOf = ({ ids, params }: BulkCall) => ids.map((id) => ({ id, locale: params.locale }));

/** Each entry has its own record already. */
function doneOf({ catalog }: BulkCall, outcome: Outcome): Done | Refusal {
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
  return outcomes.map((outcome) => doneOf(call, outcome));
};

const bulkAssign: BulkWork = async (work, call) => {
  const { assigneeId = null } = call.params;
  const group = { catalog: call.catalog, targets: targetsOf(call) };
  const outcomes = await assignEntries(work, group, assigneeId?.toLowerCase() ?? null);
  return outcomes.map((outcome) => doneOf(call, outcome));
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
