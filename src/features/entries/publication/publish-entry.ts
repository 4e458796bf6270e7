import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { futureTime } from '../../schedules/index.js';
import { localeFor, siteOf } from '../access/entry.policy.js';
import { brief, presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { isAdmitted, singleOutcome, type LocaleTarget, type Outcome } from './locale-targets.js';
import { assertAllApplied, unpublishedDependencies } from './publish-dependencies.js';
import { publishLocales } from './publish-locales.js';
import { scheduleEntry, type Scheduled } from './schedule-entry.js';

type Input = InputOf<typeof entries.publish>;

type Wanted = LocaleTarget & {
  readonly withDependencies: boolean;
  readonly comment?: string | undefined;
  readonly isJob?: boolean;
};

async function dependenciesOf(
  work: UnitOfWork,
  catalog: Catalog,
  { id, locale }: Wanted,
): Promise<LocaleTarget[]> {
  const entry = await work.use(EntryRepository).find(id);
  const root = { entry, locale: localeFor(catalog, siteOf(catalog, entry), locale) };
  return unpublishedDependencies(work, catalog, root);
}

/** Publishes now or on schedule. A no-op if the draft is already published. */
export async function publishEntry(work: UnitOfWork, input: Input): Promise<{ data: Entry } | Scheduled> {
  const time = await futureTime(work, input);
  if (time === undefined) return { data: await publishNow(work, input) };
  const { withDependencies, comment } = input;
  const options = { withDependencies, ...(comment && { comment }) };
  return scheduleEntry(work, { kind: 'publish', targets: [input], time, options });
}

/** Records each entry that was published along with the one that the call names. */
function noteAlong(work: UnitOfWork, catalog: Catalog, outcomes: readonly Outcome[]): void {
  for (const { locale, before, after, isChanged } of outcomes.filter(isAdmitted)) {
    if (!isChanged) continue;
    const [was, is] = [before, after].map((entry) => brief(presentEntry(entry, locale, catalog)));
    const change = { entry: after, locale, before: was ?? null, after: is ?? null };
    work.use(EntryRepository).note({ action: 'entry.publish', ...change, isAlong: true });
  }
}

export async function publishNow(work: UnitOfWork, target: Wanted): Promise<Entry> {
  const catalog = await work.use(CatalogRepository).current();
  const { comment, isJob } = target;
  const targets = [target, ...(target.withDependencies ? await dependenciesOf(work, catalog, target) : [])];
  const outcomes = await publishLocales(work, catalog, { targets, comment, isJob });
  assertAllApplied(outcomes);
  const { locale, before, after, isChanged } = singleOutcome(outcomes);
  const data = presentEntry(after, locale, catalog);
  const publishedAlong = outcomes.slice(1).map(({ id }) => id);
  noteAlong(work, catalog, outcomes.slice(1));
  if (!isChanged && publishedAlong.length === 0) return data;
  const was = presentEntry(before, locale, catalog);
  work.use(EntryRepository).note({
    action: 'entry.publish',
    entry: after,
    locale,
    before: { ...was },
    after: { ...data, ...(comment && { comment }), ...(publishedAlong.length > 0 && { publishedAlong }) },
  });
  return data;
}
