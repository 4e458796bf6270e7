import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { Deleted } from '../../../../contracts/envelopes.js';
import type { ReleaseDetail, ReleaseItemInput } from '../../../../contracts/entries/releases/release.js';
import type { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { authorize } from '../../../access/authorize.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { AssetRepository } from '../../media/media/index.js';
import { getRedirect } from '../../routing/redirects/index.js';
import { getTreeNode } from '../../routing/tree/index.js';
import {
  EntryRepository,
  HistoryRepository,
  localeToWrite,
  isAdmitted,
  isRefusal,
  noValues,
  type Refusal,
  type StoredEntry,
} from '../entries/index.js';
import { ReleaseItemRepository, type StoredItem } from './release-item.repository.js';
import { ReleaseRepository, type ReadRelease } from './release.repository.js';
import { assertOpen, changed, presentDetail } from './releases.js';

type Path = readonly (string | number)[];
type Given<K extends ReleaseItemInput['kind']> = Extract<ReleaseItemInput, { kind: K }>;
type Checked = Pick<StoredItem, 'subject' | 'given'>;

/** Runs a check whose failure is about an item of the input. */
async function at<T>(path: Path, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'validation_failed') throw error;
    throw new AppError(error.code, { ...(error.details as object | undefined), path }, error.message);
  }
}

const subjectOf = (entryId: string, locale: string): string => `entry ${entryId} ${locale}`;

const issue = (path: Path, code: string, message: string) => invalidInput({ path, code, message });

function checkEntry(
  catalog: Catalog,
  entries: ReadonlyMap<string, StoredEntry>,
  { given, path }: { given: Given<'entry'>; path: Path },
): Checked {
  const entryId = given.entryId.toLowerCase();
  const entry = entries.get(entryId);
  if (entry === undefined) throw new AppError('entry_not_found', { path: [...path, 'entryId'] });
  const pinnedVersion = given.pinnedVersion ?? null;
  if (pinnedVersion !== null && given.action === 'unpublish')
    throw issue(
      [...path, 'pinnedVersion'],
      'not_allowed',
      'Only an item that publishes has a pinnedVersion.',
    );
  const locale = localeToWrite(catalog, entry, given.locale);
  return { subject: subjectOf(entryId, locale), given: { ...given, entryId, locale, pinnedVersion } };
}

async function checkRedirect(
  work: UnitOfWork,
  catalog: Catalog,
  { given, path }: { given: Given<'redirect'>; path: Path },
): Promise<Checked> {
  const { action, redirect } = given;
  const redirectId = given.redirectId?.toLowerCase();
  const need = (key: string): never => {
    throw issue([...path, key], 'required', `An item that would ${action} a redirect requires ${key}.`);
  };
  if (action === 'create') {
    const { siteId, source } = redirect ?? need('redirect');
    if (siteId === undefined || source === undefined)
      return need(siteId === undefined ? 'redirect.siteId' : 'redirect.source');
    const site = catalog.site(siteId.toLowerCase());
    if (site === undefined) throw new AppError('site_not_found', { path: [...path, 'redirect', 'siteId'] });
    const subject = `redirect ${site.id} ${redirect?.locale ?? ''} ${source}`;
    return { subject, given: { kind: 'redirect', action, redirect: { ...redirect, siteId: site.id } } };
  }
  if (redirectId === undefined) return need('redirectId');
  if (action === 'update' && Object.keys(redirect ?? {}).length === 0) return need('redirect');
  if (redirect?.siteId !== undefined)
    throw issue([...path, 'redirect', 'siteId'], 'not_allowed', 'A redirect stays on its site.');
  await at([...path, 'redirectId'], () => getRedirect(work, { projectSlug: '', id: redirectId }));
  const change = action === 'update' && redirect !== undefined ? { redirect } : {};
  return { subject: `redirect ${redirectId}`, given: { kind: 'redirect', action, redirectId, ...change } };
}

async function checkMove(work: UnitOfWork, given: Given<'treeMove'>, path: Path): Promise<Checked> {
  const nodeId = given.nodeId.toLowerCase();
  const parentId = given.parentId?.toLowerCase() ?? null;
  const find = (key: string, id: string) =>
    at([...path, key], () => getTreeNode(work, { projectSlug: '', id }));
  await find('nodeId', nodeId);
  if (parentId !== null) await find('parentId', parentId);
  return { subject: `node ${nodeId}`, given: { ...given, nodeId, parentId } };
}

async function checkMedia(
  work: UnitOfWork,
  given: Extract<ReleaseItemInput, { kind: 'media' }>,
  path: Path,
): Promise<Checked> {
  const [assetId, replacementAssetId] = [given.assetId.toLowerCase(), given.replacementAssetId.toLowerCase()];
  const assets = work.use(AssetRepository);
  if (assetId === replacementAssetId)
    throw issue([...path, 'replacementAssetId'], 'same_asset', 'An asset cannot replace itself.');
  await at([...path, 'assetId'], () => assets.find(assetId));
  await at([...path, 'replacementAssetId'], () => assets.find(replacementAssetId));
  return { subject: `asset ${assetId}`, given: { ...given, assetId, replacementAssetId } };
}

/** @throws AppError 404 `version_not_found` */
async function assertVersions(
  work: UnitOfWork,
  entries: ReadonlyMap<string, StoredEntry>,
  { items, pathOf }: { items: readonly ReleaseItemInput[]; pathOf: (index: number) => Path },
): Promise<void> {
  const pinned = items.flatMap((given, index) => {
    if (given.kind !== 'entry' || typeof given.pinnedVersion !== 'number') return [];
    const { entryId, locale, pinnedVersion: version } = given;
    return [{ index, entryId, locale, version, contentTypeId: entries.get(entryId)?.contentTypeId ?? '' }];
  });
  const found = await work.use(HistoryRepository).contentsAt(pinned);
  const missing = pinned.find((_, place) => found[place] === undefined);
  if (missing !== undefined)
    throw new AppError('version_not_found', { path: [...pathOf(missing.index), 'pinnedVersion'] });
}

/** @throws AppError 404 for what does not exist or cannot be read, 422 for an incomplete item */
async function checkItems(
  work: UnitOfWork,
  items: readonly ReleaseItemInput[],
  pathOf: (index: number) => Path,
): Promise<Checked[]> {
  const catalog = await work.use(CatalogRepository).current();
  const ids = items.flatMap((item) => (item.kind === 'entry' ? [item.entryId] : []));
  const entries =
    ids.length === 0
      ? new Map<string, StoredEntry>()
      : await work.use(EntryRepository).readAll(ids, noValues);
  const checked: Checked[] = [];
  for (const [index, given] of items.entries()) {
    const path = pathOf(index);
    if (given.kind === 'entry') checked.push(checkEntry(catalog, entries, { given, path }));
    else if (given.kind === 'redirect') checked.push(await checkRedirect(work, catalog, { given, path }));
    else if (given.kind === 'treeMove') checked.push(await checkMove(work, given, path));
    else checked.push(await checkMedia(work, given, path));
  }
  await assertVersions(work, entries, { items: checked.map(({ given }) => given), pathOf });
  return checked;
}

/** @throws AppError 409 `release_conflict` */
async function assertDistinct(
  work: UnitOfWork,
  release: ReadRelease,
  { checked, pathOf }: { checked: readonly Checked[]; pathOf: (index: number) => Path },
): Promise<void> {
  const subjects = checked.map(({ subject }) => subject);
  const seen = new Set(await work.use(ReleaseItemRepository).subjectsOf(release.id, subjects));
  for (const [index, subject] of subjects.entries()) {
    if (seen.has(subject)) throw new AppError('release_conflict', { path: pathOf(index) });
    seen.add(subject);
  }
}

/**
 * Adds items to a locked release, all or none.
 * @throws AppError as `releases.addItems`
 */
async function addToRelease(
  work: UnitOfWork,
  release: ReadRelease,
  items: readonly ReleaseItemInput[],
): Promise<ReadRelease> {
  const pathOf = (index: number): Path => ['items', index];
  assertOpen(release);
  const limit = limits.itemsPerRelease;
  if (release.itemCount + items.length > limit) throw new AppError('limit_reached', { limit });
  const checked = await checkItems(work, items, pathOf);
  await assertDistinct(work, release, { checked, pathOf });
  const { now: createdAt, scope } = work;
  const added = checked.map((one): StoredItem => ({
    ...one,
    id: work.newId(),
    replaced: null,
    createdAt,
    createdBy: scope.actor,
  }));
  await work.use(ReleaseItemRepository).insertAll(release.id, added);
  return saved(work, release, { added: added.map(({ id, given }) => ({ id, ...given })) });
}

/** Saves that items were changed. */
async function saved(work: UnitOfWork, before: ReadRelease, what: object): Promise<ReadRelease> {
  const repository = work.use(ReleaseRepository);
  await repository.touch(changed(work, before, {}));
  const after = await repository.find(before.id);
  const counts = ({ itemCount: items }: ReadRelease) => ({ items });
  repository.note(
    'update',
    { before, after },
    { before: counts(before), after: { ...counts(after), ...what } },
  );
  return after;
}

export async function addReleaseItems(
  work: UnitOfWork,
  { id, items }: InputOf<typeof releases.addItems>,
): Promise<{ data: ReleaseDetail }> {
  const release = await work.use(ReleaseRepository).lock(id);
  return { data: await presentDetail(work, await addToRelease(work, release, items)) };
}

interface Located {
  readonly id: string;
  readonly version: number;
  readonly locale: string;
}

/**
 * Adds the publication of each entry to an open release. Entries that do not exist, or that it has already, are refused alone.
 * @throws AppError 404 `release_not_found`, 409 `release_closed`, `release_scheduled`, 403 `permission_denied`
 */
export async function addEntriesToRelease(
  work: UnitOfWork,
  catalog: Catalog,
  { releaseId, ids, locale }: { releaseId: string; ids: readonly string[]; locale?: string | undefined },
): Promise<({ readonly id: string; readonly version: number } | Refusal)[]> {
  authorize(work, 'releases.update');
  const release = await work.use(ReleaseRepository).lock(releaseId);
  assertOpen(release);
  const entries = await work.use(EntryRepository).readAll(ids, noValues);
  const placed = ids.map((id): Located | Refusal => {
    const entry = entries.get(id);
    if (entry === undefined) return { id, error: new AppError('entry_not_found') };
    try {
      return { id, version: entry.version, locale: localeToWrite(catalog, entry, locale) };
    } catch (error) {
      if (error instanceof AppError) return { id, error };
      throw error;
    }
  });
  const subjects = placed.filter(isAdmitted).map((one) => subjectOf(one.id, one.locale));
  const taken = await work.use(ReleaseItemRepository).subjectsOf(release.id, subjects);
  const outcomes = placed.map((one) =>
    isRefusal(one) || !taken.has(subjectOf(one.id, one.locale))
      ? one
      : { id: one.id, error: new AppError('release_conflict') },
  );
  const items = outcomes
    .filter(isAdmitted)
    .map(
      ({ id: entryId, locale: code }) =>
        ({ kind: 'entry', entryId, locale: code, action: 'publish' }) as const,
    );
  if (items.length > 0) await addToRelease(work, release, items);
  return outcomes;
}

export async function removeReleaseItem(
  work: UnitOfWork,
  { id, itemId }: InputOf<typeof releases.removeItem>,
): Promise<{ data: Deleted }> {
  const release = await work.use(ReleaseRepository).lock(id);
  assertOpen(release);
  await work.use(ReleaseItemRepository).remove(release.id, itemId);
  await saved(work, release, { removed: itemId });
  return { data: { id: itemId.toLowerCase(), deleted: true } };
}
