import type { unpublishEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Entry } from '../../../contracts/resources/entry.js';
import type { ScheduledJob } from '../../../contracts/resources/schedule.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { futureTime } from '../schedules/index.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { onlyApplied, type LocaleTarget } from './locale-targets.js';
import { scheduleEntry } from './schedule-entry.js';
import { unpublishLocales } from './unpublish-locales.js';

type Input = InputOf<typeof contract>;

/** Takes one locale of an entry offline, now or later; one that is not live stays as it is. */
export async function unpublishEntry(
  work: UnitOfWork,
  input: Input,
): Promise<{ data: Entry | ScheduledJob }> {
  const time = futureTime(work, input);
  if (time !== undefined)
    return scheduleEntry(work, { kind: 'unpublish', targets: [input], time, options: {} });
  return { data: await unpublishNow(work, input) };
}

/** Does what {@link unpublishEntry} does, without a schedule. */
export async function unpublishNow(work: UnitOfWork, target: LocaleTarget): Promise<Entry> {
  const catalog = await work.use(CatalogRepository).current();
  const outcome = onlyApplied(await unpublishLocales(work, catalog, [target]));
  const { locale, before, after, isChanged } = outcome;
  const data = presentEntry(after, locale, catalog);
  if (!isChanged) return data;
  const was = presentEntry(before, locale, catalog);
  work.use(EntryRepository).note({
    action: 'entry.unpublish',
    entry: after,
    locale,
    before: { ...was },
    after: { ...data },
  });
  return data;
}
