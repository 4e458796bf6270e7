import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  assignEntries,
  brief,
  isRefusal,
  presentState,
  transitionEntries,
  type Outcome,
  type Refusal,
} from '../entries/index.js';
import type { BulkCall, BulkWork, Done } from './sequential.js';

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
export const bulkTransition: BulkWork = async (work: UnitOfWork, call) => {
  const { to = '', comment } = call.params;
  const group = { catalog: call.catalog, targets: targetsOf(call), isAlong: true };
  const outcomes = await transitionEntries(work, group, { to, comment });
  return outcomes.map((outcome) => doneOf(call, outcome));
};

export const bulkAssign: BulkWork = async (work, call) => {
  const { assigneeId = null } = call.params;
  const group = { catalog: call.catalog, targets: targetsOf(call) };
  const outcomes = await assignEntries(work, group, assigneeId?.toLowerCase() ?? null);
  return outcomes.map((outcome) => doneOf(call, outcome));
};
