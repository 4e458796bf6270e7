import { AppError } from '../../../../contracts/errors.js';
import type { Release } from '../../../../contracts/entries/releases/release.js';
import type { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { putFileBack } from '../../media/media/index.js';
import {
  deleteRedirect,
  editableRedirect,
  RedirectRepository,
  restoreRedirect,
  updateRedirect,
  type RedirectRow,
} from '../../routing/redirects/index.js';
import { EntryTreeRepository, moveTreeNode } from '../../routing/tree/index.js';
import {
  HistoryRepository,
  isRefusal,
  lockTogether,
  publishTogether,
  type StoredEntry,
  type TogetherTarget,
} from '../entries/index.js';
import { assertPaths, itemsOf, liveVersion, noteEntries, ReleaseSteps } from './apply-release.js';
import { ReleaseItemRepository, type Replaced, type ShownItem } from './release-item.repository.js';
import { ReleaseRepository } from './release.repository.js';
import { changed, presentRelease, releaseEvent } from './releases.js';

/** An item that changed something. */
type DoneItem = ShownItem & { readonly replaced: Replaced };

type StoredRedirect = Omit<RedirectRow, 'createdAt' | 'updatedAt' | 'lastHitAt'> & {
  readonly createdAt: string;
};

const redirectsOf = ({ replaced }: DoneItem) =>
  replaced.redirect as { from: StoredRedirect | null; to: StoredRedirect | null } | undefined;

async function findRedirect(work: UnitOfWork, id: string): Promise<RedirectRow | null> {
  try {
    return await work.use(RedirectRepository).find(id);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Whether the redirect is as the release left it. Hits do not count. */
async function isRedirectKept(
  work: UnitOfWork,
  { from, to }: { from: StoredRedirect | null; to: StoredRedirect | null },
) {
  const now = await findRedirect(work, (to ?? from)?.id ?? '');
  if (now === null || to === null) return now === to;
  return isEqualJson(editableRedirect(now), editableRedirect({ ...now, ...to, ...datesOf(now) }));
}

const datesOf = ({ createdAt, updatedAt, lastHitAt }: RedirectRow) => ({ createdAt, updatedAt, lastHitAt });

async function putRedirectBack(work: UnitOfWork, item: DoneItem): Promise<void> {
  const { from = null, to = null } = redirectsOf(item) ?? {};
  const projectSlug = work.scope.projectSlug ?? '';
  if (from === null) await deleteRedirect(work, { projectSlug, id: to?.id ?? '' });
  else if (to === null)
    await restoreRedirect(work, {
      ...from,
      createdAt: new Date(from.createdAt),
      updatedAt: work.now,
      lastHitAt: null,
    });
  else {
    const { source, target, status, matchType, queryMatch, locale, isActive, note } = from;
    const keys = { source, target, status, matchType, queryMatch, locale, isActive, note };
    await updateRedirect(work, { projectSlug, id: from.id, ...keys });
  }
}

async function putNodeBack(work: UnitOfWork, { given, replaced: { node } }: DoneItem): Promise<void> {
  if (given.kind !== 'treeMove' || node === undefined) return;
  const projectSlug = work.scope.projectSlug ?? '';
  const { parentId, position } = node.from;
  await moveTreeNode(work, { projectSlug, id: given.nodeId, parentId, position, createRedirects: true });
}

/** The target that puts back what was live; undefined if that version does not exist any more. */
async function formerTargets(
  work: UnitOfWork,
  items: readonly DoneItem[],
  entries: ReadonlyMap<string, StoredEntry>,
): Promise<(TogetherTarget | undefined)[]> {
  const places = items.map(({ given, replaced: { entry } }) => {
    const { entryId: id, locale } = given.kind === 'entry' ? given : { entryId: '', locale: '' };
    return { id, locale, from: entry?.from ?? null, contentTypeId: entries.get(id)?.contentTypeId ?? '' };
  });
  const live = places.flatMap(({ id: entryId, from, ...place }) =>
    from === null ? [] : [{ ...place, entryId, version: from.version }],
  );
  const found = await work.use(HistoryRepository).contentsAt(live);
  const contents = new Map(live.map(({ entryId, locale }, index) => [`${entryId} ${locale}`, found[index]]));
  return places.map(({ id, locale, from }) => {
    if (from === null) return { id, locale, action: 'unpublish' };
    const content = contents.get(`${id} ${locale}`);
    return (
      content && {
        id,
        locale,
        action: 'publish',
        content: { ...content, wasLive: true, restoredAt: new Date(from.at) },
      }
    );
  });
}

async function putEntriesBack(
  work: UnitOfWork,
  catalog: Catalog,
  {
    items,
    entries,
    steps,
  }: { items: readonly DoneItem[]; entries: ReadonlyMap<string, StoredEntry>; steps: ReleaseSteps },
): Promise<void> {
  const targets = await formerTargets(work, items, entries);
  const known = items.filter((_, index) => targets[index] !== undefined);
  for (const item of items.filter((one) => !known.includes(one)))
    steps.refuse(item, new AppError('version_not_found'));
  const wanted = targets.filter((target) => target !== undefined);
  const outcomes = await publishTogether(work, catalog, { targets: wanted, isJob: true });
  noteEntries(work, catalog, outcomes);
  outcomes.forEach((outcome, index) => {
    if (isRefusal(outcome)) steps.refuse(known[index], outcome.error);
  });
}

/** Items of which something else is live now than the release put there. */
async function changedItems(
  work: UnitOfWork,
  items: readonly DoneItem[],
  entries: ReadonlyMap<string, StoredEntry>,
): Promise<DoneItem[]> {
  const repository = work.use(ReleaseItemRepository);
  const found: DoneItem[] = [];
  for (const item of items) {
    const { given, replaced } = item;
    const redirect = redirectsOf(item);
    if (given.kind === 'entry' && replaced.entry) {
      const now = liveVersion(entries.get(given.entryId), given.locale);
      if (!isEqualJson(now, replaced.entry.to)) found.push(item);
    } else if (redirect) {
      if (!(await isRedirectKept(work, redirect))) found.push(item);
    } else if (given.kind === 'treeMove' && replaced.node) {
      const now = await repository.placeOf(given.nodeId);
      if (now?.parentId !== replaced.node.to.parentId) found.push(item);
    }
  }
  return found;
}

const shownItem = ({ id: itemId, title, given }: ShownItem) => ({ itemId, title, ...given });

/**
 * Puts back what each item replaced, in one unit of work. A no-op if the release is rolled back.
 * @throws AppError 409 `release_not_published`; 409 `release_changed` with the items that something else has changed since;
 * 422 `release_invalid`
 */
export async function rollbackRelease(
  work: UnitOfWork,
  { id }: InputOf<typeof releases.rollback>,
): Promise<{ data: Release }> {
  const repository = work.use(ReleaseRepository);
  const before = await repository.lock(id);
  if (before.status === 'rolled_back') return { data: presentRelease(before) };
  if (before.status !== 'published') throw new AppError('release_not_published', { status: before.status });
  const items = work.use(ReleaseItemRepository);
  const done = (await items.list(before.id)).filter((item): item is DoneItem => item.replaced !== null);
  const ofEntries = done.filter(({ given }) => given.kind === 'entry');
  const entries = await lockTogether(
    work,
    itemsOf(done, 'entry').map(({ given }) => given.entryId),
  );
  const since = await changedItems(work, done, entries);
  const catalog = await work.use(CatalogRepository).current();
  const steps = new ReleaseSteps(work);
  const redirects = done.filter((item) => redirectsOf(item) !== undefined);
  const isCreated = (item: DoneItem): boolean => redirectsOf(item)?.from === null;
  if (since.length === 0) {
    await work.use(EntryTreeRepository).deferPaths();
    for (const item of redirects.filter(isCreated))
      await steps.run(item, (part) => putRedirectBack(part, item));
    for (const item of done.filter(({ given }) => given.kind === 'treeMove').reverse())
      await steps.run(item, (part) => putNodeBack(part, item));
    if (ofEntries.length > 0)
      await steps.run(undefined, (part) =>
        putEntriesBack(part, catalog, { items: ofEntries, entries, steps }),
      );
    await assertPaths(work, { items: done, steps });
    for (const item of redirects.filter((one) => !isCreated(one)))
      await steps.run(item, (part) => putRedirectBack(part, item));
  }
  for (const item of itemsOf(done, 'media')) {
    const { media } = item.replaced ?? {};
    if (media === undefined) continue;
    const isPut = await steps.run(item, (part) => putFileBack(part, item.given.assetId, media));
    if (isPut === false) since.push(item as DoneItem);
  }
  if (since.length > 0) throw new AppError('release_changed', { items: since.map(shownItem) });
  if (steps.issues.length > 0) throw new AppError('release_invalid', { items: steps.issues });
  await items.saveReplaced(before.id, new Map());
  const after = changed(work, before, { status: 'rolled_back', rolledBackAt: work.now });
  await repository.save(before, after, 'rollback');
  work.emit(releaseEvent('rolled_back', after));
  return { data: presentRelease(after) };
}
