import { AppError } from '../../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository } from '../../../operations/jobs/index.js';
import { EntryTreeRepository } from '../../../routing/tree/index.js';
import { authorizeEntry, entryPaths, assertVersion, authorizeChange } from '../access/entry-rights.js';
import { entryEvent, presentState, shownLocale, changedParts, presentEntry } from '../entry.presenter.js';
import { SingletonRepository } from '../drafts/singleton.repository.js';
import { EntryRepository } from '../entry.repository.js';
import { changedNames } from '../../../../content/blocks/changed-paths.js';
import { noValues, valuesIn } from '../anchored-values.js';
import { brokenLinks } from '../dependencies/broken-links.js';
import {
  isAdmitted,
  isRefusal,
  catchRefusal,
  type Applied,
  type LocaleTarget,
  type Refusal,
} from '../publication/locale-targets.js';
import { PublicationRepository } from '../publication/publication.repository.js';
import { cancelSchedules } from '../schedules/canceled-schedules.js';
import {
  fieldsOf,
  isLive,
  localeOf,
  type StoredEntry,
  valuesOf,
  type StoredLocale,
} from '../stored-entry.js';
import { markOffline, checkWithdrawals } from '../publication/unpublish-locales.js';
import type { BrokenLink } from '../../../../../contracts/entries/entries/entry-reference.js';
import { withWarnings, type Deleted, type Warning } from '../../../../../contracts/envelopes.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import { linksOfLocales, typeOf } from '../drafts/draft-state.js';
import { followSlug } from '../../../../content/slug-field.js';
import { titleOf } from '../drafts/entry-slug.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import { saveContent } from '../workflow/save-content.js';

/** `referrerCount`: entries that still link to it. */
interface Deletion extends Applied {
  readonly referrerCount: number;
  /** Child nodes that moved up in its place. */
  readonly liftedCount: number;
}

function markDeleted(work: UnitOfWork, entry: StoredEntry): StoredEntry {
  const { now, scope } = work;
  const locales = entry.locales.map((state) => ({ ...markOffline(state), scheduled: [] }));
  return { ...entry, place: null, deletedAt: now, updatedAt: now, updatedBy: scope.actor, locales };
}

async function lockDeletable(
  work: UnitOfWork,
  catalog: Catalog,
  targets: readonly LocaleTarget[],
): Promise<({ id: string; entry: StoredEntry } | Refusal)[]> {
  const entries = await work.use(EntryRepository).lockAll(
    targets.map(({ id }) => id),
    valuesIn(),
    'exclusive',
  );
  const paths = await entryPaths(work, 'delete', [...entries.keys()]);
  return targets.map(({ id, version }) =>
    catchRefusal(id, () => {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw new AppError('entry_not_found');
      const locales = entry.locales.map(({ locale }) => locale);
      authorizeEntry(work, entry, { catalog, action: 'delete', locales, paths, isLive: isLive(entry) });
      assertVersion(entry, version);
      return { id, entry };
    }),
  );
}

/**
 * Set-based: the number of statements does not depend on the number of entries. The caller writes the audit record.
 */
export async function deleteEntries(
  work: UnitOfWork,
  catalog: Catalog,
  targets: readonly LocaleTarget[],
): Promise<(Deletion | Refusal)[]> {
  const found = await lockDeletable(work, catalog, targets);
  const withdrawals = found
    .filter(isAdmitted)
    .map(({ entry }) => ({ entryId: entry.id, locales: entry.locales.map(({ locale }) => locale) }));
  const { refusals, referrerCounts } = await checkWithdrawals(work, catalog, withdrawals);
  const leaving = withdrawals.filter(({ entryId }) => !refusals.has(entryId));
  const publications = work.use(PublicationRepository);
  await publications.unpublish(leaving);
  const ids = leaving.map(({ entryId }) => entryId);
  await publications.softDelete(ids, work.now, work.scope.actor);
  const removed = found
    .filter(isAdmitted)
    .map(({ entry }) => entry)
    .filter(({ id }) => ids.includes(id));
  const waiting = [...(await work.use(ScheduledJobRepository).waitingOf(ids)).values()].flat();
  await cancelSchedules(work, catalog, {
    entries: removed,
    jobIds: waiting.map(({ id }) => id),
    reason: 'deleted',
  });
  const lifted = await work.use(EntryTreeRepository).remove(removed);
  return found.map((target) => {
    if (isRefusal(target)) return target;
    const { id, entry: before } = target;
    const error = refusals.get(before.id);
    if (error !== undefined) return { id, error };
    const after = markDeleted(work, before);
    const locale = shownLocale(before, catalog);
    work.emit(entryEvent('deleted', presentState(after, locale, catalog)));
    const referrerCount = referrerCounts.get(before.id) ?? 0;
    return {
      id,
      locale,
      before,
      after,
      isChanged: true,
      referrerCount,
      liftedCount: lifted.get(before.id) ?? 0,
    };
  });
}

function warningsOf({ referrerCount: referrers, liftedCount: lifted }: Deletion): Warning[] {
  const warnings: Warning[] = [];
  if (referrers > 0) {
    const message = `${String(referrers)} ${referrers === 1 ? 'entry refers' : 'entries refer'} to the deleted one.`;
    warnings.push({ code: 'still_referenced', message });
  }
  if (lifted > 0) {
    const message = `${String(lifted)} tree ${lifted === 1 ? 'node' : 'nodes'} below it moved up in its place.`;
    warnings.push({ code: 'children_lifted', message });
  }
  return warnings;
}

/** What a deletion would break; the call is rolled back, or refused. */
async function planDeletion(work: UnitOfWork, catalog: Catalog, input: LocaleTarget): Promise<DeletedEntry> {
  const entry = await work.use(EntryRepository).find(input.id, noValues);
  const locales = entry.locales.map(({ locale }) => locale);
  const broken = await brokenLinks(work, catalog, { entry, locales });
  const [deletion] = await deleteEntries(work, catalog, [input]);
  const isRefused = deletion !== undefined && isRefusal(deletion);
  if (isRefused && deletion.error.code !== 'entry_in_use') throw deletion.error;
  return { data: { id: entry.id, deleted: true }, meta: { isRefused, broken } };
}

interface DeletedEntry {
  data: Deleted;
  meta?: { warnings?: Warning[]; isRefused?: boolean; broken?: BrokenLink[] };
}

/** Unpublishes every locale and frees the slugs; versions stay. */
export async function deleteEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.delete>,
): Promise<DeletedEntry> {
  const catalog = await work.use(CatalogRepository).current();
  if (input.dryRun) return planDeletion(work, catalog, input);
  const [deletion] = await deleteEntries(work, catalog, [input]);
  if (deletion === undefined) throw new Error('Deletion returned no outcome');
  if (isRefusal(deletion)) throw deletion.error;
  const { before, after, locale } = deletion;
  const was = presentEntry(before, locale, catalog);
  const { after: is } = changedParts(was, presentEntry(after, locale, catalog));
  work
    .use(EntryRepository)
    .note({ action: 'entry.delete', entry: after, locale, before: { ...was }, after: is });
  return withWarnings({ id: before.id, deleted: true }, warningsOf(deletion));
}

/** Locales whose slugs have been taken since, with a numbered slug. */
async function renumberSlugs(
  work: UnitOfWork,
  entry: StoredEntry,
  type: ContentTypeDefinition,
): Promise<StoredLocale[]> {
  const slugs = work.use(SlugRepository);
  const moved: StoredLocale[] = [];
  for (const state of entry.locales) {
    const { siteId, contentTypeId, id: entryId, place } = entry;
    const slug = await slugs.firstFree(state.slug, {
      siteId,
      contentTypeId,
      locale: state.locale,
      entryId,
      place,
    });
    const title = titleOf(type, valuesOf(entry, state.locale), slug);
    const fields = followSlug(type, fieldsOf(state), [state.slug, slug]);
    if (slug !== state.slug) moved.push({ ...state, slug, title, fields, updatedAt: work.now });
  }
  return moved;
}

async function withFreeSlugs(work: UnitOfWork, entry: StoredEntry, catalog: Catalog): Promise<StoredEntry> {
  const type = typeOf(catalog, entry);
  const moved = await renumberSlugs(work, entry, type);
  if (moved.length === 0) return entry;
  const locales = entry.locales.map((state) => moved.find(({ locale }) => locale === state.locale) ?? state);
  const written = moved.map(({ locale }) => locale);
  const followed = moved.flatMap((state) => {
    const before = localeOf(entry, state.locale);
    return before === undefined ? [] : changedNames(fieldsOf(before), fieldsOf(state));
  });
  return saveContent(work, catalog, {
    entry: { ...entry, version: entry.version + 1, locales },
    locales: written,
    changeType: 'restore',
    changedFields: [...new Set([...followed, '_slug'])],
    comment: null,
    links: linksOfLocales(catalog, entry, written),
  });
}

/**
 * Every locale returns as a draft; a page returns to the root of its site's tree. A no-op for an entry that is not
 * deleted.
 */
export async function undeleteEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.undelete>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const { contentTypeId, siteId } = await entries.find(input.id, noValues, true);
  const isPage = catalog.contentTypeById(contentTypeId)?.isPage === true;
  if (isPage) await work.use(EntryTreeRepository).lockTrees([siteId]);
  const before = await entries.lockDeleted(input.id);
  const locales = before.locales.map((state) => state.locale);
  await authorizeChange(work, before, { catalog, action: 'delete', locales });
  assertVersion(before, input.version);
  const locale = shownLocale(before, catalog);
  const was = presentEntry(before, locale, catalog);
  if (before.deletedAt === null) return { data: was };
  const type = typeOf(catalog, before);
  if (type.isSingleton && !(await work.use(SingletonRepository).reserve(type.id, before.siteId)))
    throw new AppError('limit_reached', { limit: 1 });
  const place = isPage ? { nodeId: work.newId(), parentId: null, siteId } : null;
  const revived = { ...before, place, deletedAt: null, updatedAt: work.now, updatedBy: work.scope.actor };
  const after = await withFreeSlugs(work, revived, catalog);
  await entries.undelete(after);
  const data = presentEntry(after, locale, catalog);
  entries.note({ action: 'entry.undelete', entry: after, locale, ...changedParts(was, data) });
  work.emit(entryEvent('restored', data));
  return { data };
}
