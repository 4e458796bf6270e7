import type { PendingSchedule, ScheduledJob } from '../../../../../contracts/entries/schedules/schedule.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { EntryRepository } from '../entry.repository.js';
import { isRefusal } from './locale-targets.js';
import { scheduleLocales, type ScheduleRequest } from './schedule-locales.js';

/** The new job, and the waiting ones that it replaces. */
export interface Scheduled {
  data: ScheduledJob;
  meta?: { replaced: PendingSchedule[] };
}

export async function scheduleEntry(work: UnitOfWork, request: ScheduleRequest): Promise<Scheduled> {
  const catalog = await work.use(CatalogRepository).current();
  const [outcome] = await scheduleLocales(work, catalog, request);
  if (outcome === undefined) throw new Error('Schedule returned no outcome');
  if (isRefusal(outcome)) throw outcome.error;
  const { entry, locale, job, replaced } = outcome;
  const after = { ...job };
  work.use(EntryRepository).note({ action: 'entry.schedule', entry, locale, before: null, after });
  return { data: job, ...(replaced.length > 0 && { meta: { replaced: [...replaced] } }) };
}
