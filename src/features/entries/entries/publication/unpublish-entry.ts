import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import { invalidInput } from '../../../../../contracts/errors.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { parseTarget, redirectOldPath } from '../../../routing/redirects/index.js';
import { futureTime } from '../../schedules/index.js';
import { EntryTreeRepository } from '../../../routing/tree/index.js';
import { localeToWrite } from '../access/entry-locale.js';
import { siteOf } from '../access/entry-rights.js';
import { changedParts, presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues, valuesIn } from '../anchored-values.js';
import { singleOutcome, type LocaleTarget } from './locale-targets.js';
import { scheduleEntry, type Scheduled } from './schedule-entry.js';
import { unpublishLocales } from './unpublish-locales.js';

type UnpublishEntryInput = InputOf<typeof entries.unpublish>;

type Wanted = LocaleTarget & {
  readonly redirectTo?: string | undefined;
  readonly comment?: string | undefined;
  readonly isJob?: boolean;
};

/** Unpublishes now or on schedule. A no-op if the locale is not published. */
export async function unpublishEntry(
  work: UnitOfWork,
  input: UnpublishEntryInput,
): Promise<{ data: Entry } | Scheduled> {
  const redirectTo = input.redirectTo && parseTarget('redirectTo', input.redirectTo);
  const time = await futureTime(work, input);
  if (time === undefined) return { data: await unpublishNow(work, { ...input, redirectTo }) };
  const { comment } = input;
  const options = { ...(redirectTo !== undefined && { redirectTo }), ...(comment && { comment }) };
  return scheduleEntry(work, { kind: 'unpublish', targets: [input], time, options });
}

/** The published path, if any. */
async function livePathOf(work: UnitOfWork, catalog: Catalog, target: Wanted): Promise<LivePath> {
  const entry = await work.use(EntryRepository).lock(target.id, noValues);
  const site = siteOf(catalog, entry);
  const locale = localeToWrite(catalog, entry, target.locale);
  return { site, locale, path: await work.use(EntryTreeRepository).livePath(site, entry.id, locale) };
}

interface LivePath {
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly path: string | undefined;
}

/** @throws AppError 422 if the page has no path, and the errors of {@link redirectOldPath} */
async function redirectFrom(work: UnitOfWork, { site, locale, path }: LivePath, to: string): Promise<void> {
  const key = 'redirectTo';
  if (path === undefined) {
    const message = 'The entry has no path in this locale that could be redirected.';
    throw invalidInput({ path: [key], code: 'no_path', message });
  }
  await redirectOldPath(work, site, { key, locale, from: path, to });
}

/**
 * @throws AppError 422 `validation_failed`, 409 `redirect_conflict` and `redirect_loop` for an invalid `redirectTo`
 */
export async function unpublishNow(work: UnitOfWork, target: Wanted): Promise<Entry> {
  const catalog = await work.use(CatalogRepository).current();
  const { redirectTo, comment, isJob } = target;
  const left = redirectTo === undefined ? undefined : await livePathOf(work, catalog, target);
  const outcome = singleOutcome(
    await unpublishLocales(work, catalog, {
      targets: [target],
      values: valuesIn(target.locale),
      comment,
      isJob,
    }),
  );
  const { locale, before, after, isChanged } = outcome;
  const data = presentEntry(after, locale, catalog);
  if (!isChanged) return data;
  if (left !== undefined && redirectTo !== undefined) await redirectFrom(work, left, redirectTo);
  const parts = changedParts(presentEntry(before, locale, catalog), data);
  work.use(EntryRepository).note({
    action: 'entry.unpublish',
    entry: after,
    locale,
    before: parts.before,
    after: {
      ...parts.after,
      ...(comment && { comment }),
      ...(left !== undefined && { redirect: { source: left.path, target: redirectTo } }),
    },
  });
  return data;
}
