import { AppError } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import { anyValue } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { assertLocale, typeOf } from '../drafts/draft-state.js';
import { authorizeChange } from '../access/entry-rights.js';
import { entryEvent } from '../entry.events.js';
import { assertVersion, siteOf } from '../access/entry.policy.js';
import { changedParts, presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository, type Snapshot } from '../history.repository.js';
import { valuesIn } from '../read-values.js';
import { restoreContent, type Restoration } from './restore-content.js';
import type { StoredEntry } from '../stored-entry.js';
import { saveContent } from '../workflow/save-content.js';
import { versionNumOf } from './version-num.js';

type Request = Omit<InputOf<typeof entries.restore>, 'projectSlug'>;

/** The snapshot, reduced to the requested locale. */
async function wantedSnapshot(work: UnitOfWork, { id }: StoredEntry, request: Request): Promise<Snapshot> {
  const { versionNum, locale: wanted } = request;
  const snapshot = await work.use(HistoryRepository).snapshotAt(id, versionNum, wanted);
  if (snapshot === undefined) throw new AppError('version_not_found', { versionNum });
  if (wanted === undefined) return snapshot;
  if (snapshot.locales.length === 0)
    throw new AppError('version_not_found', { path: ['locale'], versionNum, locale: wanted });
  return snapshot;
}

async function restore(work: UnitOfWork, request: Request): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const before = await entries.lock(
    request.id,
    request.locale === undefined ? 'all' : valuesIn(request.locale),
  );
  await authorizeChange(work, before, { catalog, action: 'update', ...anyValue });
  if (request.locale !== undefined)
    assertLocale(catalog, siteOf(catalog, before), { locale: request.locale, path: ['locale'] });
  assertVersion(before, request.version);
  const snapshot = await wantedSnapshot(work, before, request);
  const locale = request.locale ?? shownLocale(before, catalog);
  const restoration: Restoration = { catalog, type: typeOf(catalog, before), before, snapshot };
  const restored = await restoreContent(work, restoration, request.locale !== undefined);
  const was = presentEntry(before, locale, catalog);
  await authorizeChange(work, before, {
    catalog,
    action: 'update',
    // Shared values are restored only with the whole version.
    locales: [...restored.locales, ...(request.locale === undefined ? [null] : [])],
    fields: restored.changedFields,
  });
  const after = await saveContent(work, catalog, {
    ...restored,
    changeType: 'restore',
    comment: request.comment ?? null,
  });
  const data = presentEntry(after, locale, catalog);
  const { before: former, after: restoredParts } = changedParts(was, data);
  entries.note({
    action: 'entry.restore',
    entry: after,
    locale,
    before: former,
    after: { ...restoredParts, restoredVersion: request.versionNum },
  });
  work.emit(entryEvent('restored', data, restored.changedFields));
  return { data };
}

/** Restores an earlier version as a new draft; published content stays. */
export function restoreEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.restore>,
): Promise<{ data: Entry }> {
  return restore(work, input);
}

/** As {@link restoreEntry}, with the version in the path. */
export async function restoreEntryVersion(
  work: UnitOfWork,
  input: InputOf<typeof entries.restoreVersion>,
): Promise<{ data: Entry }> {
  return restore(work, { ...input, versionNum: versionNumOf(input.versionNum) });
}
