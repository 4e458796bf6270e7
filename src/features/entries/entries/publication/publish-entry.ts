import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { futureTime } from '../../schedules/index.js';
import { brief, changedParts, presentEntry, presentState } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { singleOutcome, type Applied, type LocaleTarget } from './locale-targets.js';
import { publishLocales } from './publish-locales.js';
import { scheduleEntry, type Scheduled } from './schedule-entry.js';

type PublishEntryInput = InputOf<typeof entries.publish>;

type Wanted = LocaleTarget & {
  readonly withDependencies: boolean;
  readonly comment?: string | undefined;
  readonly isJob?: boolean;
};

/** Publishes now or on schedule. A no-op if the draft is already published. */
export async function publishEntry(
  work: UnitOfWork,
  input: PublishEntryInput,
): Promise<{ data: Entry } | Scheduled> {
  const time = await futureTime(work, input);
  if (time === undefined) return { data: await publishNow(work, input) };
  const { withDependencies, comment } = input;
  const options = { withDependencies, ...(comment && { comment }) };
  return scheduleEntry(work, { kind: 'publish', targets: [input], time, options });
}

/** Records each entry that was published along with those that the call names. */
export function noteAlong(work: UnitOfWork, catalog: Catalog, along: readonly Applied[]): void {
  noteEach(work, catalog, { along, action: 'entry.publish' });
}

/** Records each entry that was unpublished along with those that the call names. */
export function noteUnpublishedAlong(work: UnitOfWork, catalog: Catalog, along: readonly Applied[]): void {
  noteEach(work, catalog, { along, action: 'entry.unpublish' });
}

function noteEach(
  work: UnitOfWork,
  catalog: Catalog,
  { along, action }: { along: readonly Applied[]; action: 'entry.publish' | 'entry.unpublish' },
): void {
  for (const { locale, before, after } of along) {
    const [was, is] = [before, after].map((entry) => brief(presentState(entry, locale, catalog)));
    const change = { entry: after, locale, before: was ?? null, after: is ?? null };
    work.use(EntryRepository).note({ action, ...change, isAlong: true });
  }
}

export async function publishNow(work: UnitOfWork, target: Wanted): Promise<Entry> {
  const catalog = await work.use(CatalogRepository).current();
  const { comment, isJob, withDependencies } = target;
  const request = { targets: [target], comment, isJob, withDependencies };
  const { outcomes, along } = await publishLocales(work, catalog, request);
  const { locale, before, after, isChanged } = singleOutcome(outcomes);
  const data = presentEntry(after, locale, catalog);
  const publishedAlong = along.map(({ id }) => id);
  noteAlong(work, catalog, along);
  if (!isChanged && publishedAlong.length === 0) return data;
  const parts = changedParts(presentEntry(before, locale, catalog), data);
  work.use(EntryRepository).note({
    action: 'entry.publish',
    entry: after,
    locale,
    before: parts.before,
    after: {
      ...parts.after,
      ...(comment && { comment }),
      ...(publishedAlong.length > 0 && { publishedAlong }),
    },
  });
  return data;
}
