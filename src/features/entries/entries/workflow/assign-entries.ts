import { AppError } from '../../../../../contracts/errors.js';
import { authorize } from '../../../../access/authorize.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { localeToWrite } from '../access/entry-locale.js';
import { entryPaths, entryTarget, entryTargetAt } from '../access/entry-rights.js';
import { presentState } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import {
  catchRefusal,
  isAdmitted,
  isRefusal,
  type LocaleTarget,
  type Outcome,
} from '../publication/locale-targets.js';
import { noValues } from '../anchored-values.js';
import type { StoredEntry } from '../stored-entry.js';
import { EntryStateRepository } from './entry-state.repository.js';
import { assignedEvent, assignmentOf, localesOf } from './workflow-places.js';

/** @throws AppError 404 `user_not_found` */
export async function assertMember(work: UnitOfWork, userId: string): Promise<void> {
  if (!(await work.use(EntryStateRepository).isMember(userId)))
    throw new AppError('user_not_found', { path: ['assigneeId'] });
}

function withAssignee(entry: StoredEntry, locale: string, assigneeId: string | null): StoredEntry {
  const isOf = (code: string) => locale === '' || locale === code;
  return {
    ...entry,
    locales: entry.locales.map((state) => (isOf(state.locale) ? { ...state, assigneeId } : state)),
  };
}

/**
 * Assigning concerns every locale that has the assignee, whatever else the caller may change (rule access/grants).
 * @throws AppError 403 `permission_denied`
 */
export async function authorizeAssignment(
  work: UnitOfWork,
  catalog: Catalog,
  { entry, locale }: { entry: StoredEntry; locale: string },
): Promise<void> {
  const place = catalog.workflowOf(entry)?.perLocale === true ? locale : '';
  const target = await entryTarget(work, 'update', entry);
  authorize(work, 'entries.update', { ...target, locales: localesOf(entry, place) });
}

/**
 * Assigns a locked entry that the caller may update; undefined keeps the assignee. The caller writes the audit record.
 * @throws AppError 404 `user_not_found`
 */
export async function assignEntry(
  work: UnitOfWork,
  { catalog, entry, locale: shown }: { catalog: Catalog; entry: StoredEntry; locale: string },
  given: string | null | undefined,
): Promise<StoredEntry> {
  const assigneeId = given?.toLowerCase() ?? given;
  const locale = catalog.workflowOf(entry)?.perLocale === true ? shown : '';
  if (assigneeId === undefined || assignmentOf({ entry, locale }).assigneeId === assigneeId) return entry;
  if (assigneeId !== null) await assertMember(work, assigneeId);
  await work.use(EntryStateRepository).assign([{ entryId: entry.id, locale, assigneeId }]);
  const after = withAssignee(entry, locale, assigneeId);
  work.emit(assignedEvent(presentState(after, shown, catalog)));
  return after;
}

/**
 * Assigns entries that the caller may update to a user, or removes their assignee. Set-based: the number of statements is constant. Every changed entry has its
 * audit record and event.
 * @throws AppError 404 `user_not_found`
 */
export async function assignEntries(
  work: UnitOfWork,
  { catalog, targets }: { catalog: Catalog; targets: readonly LocaleTarget[] },
  assigneeId: string | null,
): Promise<Outcome[]> {
  if (assigneeId !== null) await assertMember(work, assigneeId);
  const entries = await work.use(EntryRepository).lockAll(
    targets.map(({ id }) => id),
    noValues,
  );
  const ids = [...entries.keys()];
  const paths = await entryPaths(work, 'update', ids);
  const places = targets.map(({ id, locale: wanted }) =>
    catchRefusal(id, () => {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw new AppError('entry_not_found');
      const shown = localeToWrite(catalog, entry, wanted);
      const locale = catalog.workflowOf(entry)?.perLocale === true ? shown : '';
      const target = entryTargetAt(work, entry, paths);
      authorize(work, 'entries.update', { ...target, locales: localesOf(entry, locale) });
      return {
        id,
        entry,
        shown,
        locale,
        isChanged: assignmentOf({ entry, locale }).assigneeId !== assigneeId,
      };
    }),
  );
  const changed = places.filter(isAdmitted).filter(({ isChanged }) => isChanged);
  await work
    .use(EntryStateRepository)
    .assign(changed.map(({ entry, locale }) => ({ entryId: entry.id, locale, assigneeId })));
  return places.map((place) => {
    if (isRefusal(place)) return place;
    const { id, entry: before, shown, locale, isChanged } = place;
    const after = isChanged ? withAssignee(before, locale, assigneeId) : before;
    const outcome = { id, locale: shown, before, after, isChanged };
    if (isChanged) noteAssignment(work, catalog, outcome);
    return outcome;
  });
}

function noteAssignment(
  work: UnitOfWork,
  catalog: Catalog,
  { before, after, locale }: { before: StoredEntry; after: StoredEntry; locale: string },
): void {
  const data = presentState(after, locale, catalog);
  work.use(EntryRepository).note({
    action: 'entry.assign',
    entry: after,
    locale,
    before: { assigneeId: presentState(before, locale, catalog).assigneeId },
    after: { assigneeId: data.assigneeId },
    isAlong: true,
  });
  work.emit(assignedEvent(data));
}
