import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntrySchedule } from '../../../../contracts/resources/schedule.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduleListRepository, type StoredSchedule } from '../../jobs/index.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../read-values.js';

export function presentSchedule(
  entryId: string,
  { id, options, error, ...job }: StoredSchedule,
): EntrySchedule {
  const { comment } = options;
  return {
    jobId: id,
    entryId,
    ...job,
    scheduledAt: job.scheduledAt.toISOString(),
    comment: typeof comment === 'string' ? comment : null,
    error: error && { code: error.code, message: error.message },
    createdAt: job.createdAt.toISOString(),
    completedAt: job.completedAt?.toISOString() ?? null,
  };
}

export async function listSchedules(
  work: UnitOfWork,
  input: InputOf<typeof entries.listSchedules>,
): Promise<{ data: EntrySchedule[]; meta: PageMeta }> {
  const { id } = await work.use(EntryRepository).find(input.id, noValues);
  const { page, limit, status: statuses = ['scheduled'] } = input;
  const jobs = await work
    .use(ScheduleListRepository)
    .list(id, { statuses, limit, offset: (page - 1) * limit });
  const items = jobs.items.map((job) => presentSchedule(id, job));
  return listEnvelope({ items, total: jobs.total }, input);
}
