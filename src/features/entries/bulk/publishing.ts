import type { AuditAction } from '../../../../contracts/change-names.js';
import type { BulkParams } from '../../../../contracts/entries/bulk/bulk.js';
import type { JobKind } from '../../../../contracts/entries/schedules/schedule.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  brief,
  deleteEntries,
  EntryRepository,
  isRefusal,
  noteAlong,
  presentState,
  publishLocales,
  scheduleLocales,
  unpublishLocales,
  type Outcome,
  type Refusal,
} from '../entries/index.js';
import { futureTime } from '../schedules/index.js';
import type { BulkCall, BulkWork, Done } from './sequential.js';

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

export const bulkPublish: BulkWork = async (work, call) => {
  if (isLater(call)) return schedule(work, call, 'publish');
  const { catalog, params } = call;
  const request = { targets: targetsOf(call), ...alongOptions(params) };
  const { outcomes, along } = await publishLocales(work, catalog, request);
  noteAlong(work, catalog, along);
  return outcomes.map((outcome) => doneOf(work, call, { action: 'entry.publish', outcome }));
};

export const bulkUnpublish: BulkWork = async (work, call) => {
  if (isLater(call)) return schedule(work, call, 'unpublish');
  const outcomes = await unpublishLocales(work, call.catalog, { targets: targetsOf(call) });
  return outcomes.map((outcome) => doneOf(work, call, { action: 'entry.unpublish', outcome }));
};

export const bulkDelete: BulkWork = async (work, call) => {
  const outcomes = await deleteEntries(work, call.catalog, targetsOf(call));
  return outcomes.map((outcome) => doneOf(work, call, { action: 'entry.delete', outcome }));
};
