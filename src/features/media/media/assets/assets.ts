import type { Deleted, ListMeta } from '../../../../../contracts/envelopes.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { authorizeAsset } from '../asset-rights.js';
import {
  assetEvent,
  assetLocaleOf,
  type AssetServices,
  presentAsset,
  type AssetAddress,
} from '../asset.presenter.js';
import type { StoredAsset } from '../stored-asset.js';
import { AssetRepository } from '../asset.repository.js';
import type {
  MediaBulkAction,
  MediaBulkItem,
  MediaBulkResult,
  MediaTransform,
} from '../../../../../contracts/media/media/media-file.js';
import { hasChanges } from '../../../shared/lists.js';
import { openPage } from '../../../shared/cursor/list-page.js';
import { makingKey, withinKey } from '../../../shared/key-reach.js';
import { FolderRepository } from '../folders/folder.repository.js';
import { assertTagCount, type AssetProperties } from './asset-input.js';
import type { MediaAsset } from '../../../../../contracts/media/media/media-asset.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { showAsset } from './show-asset.js';
import { textForms } from '../../../../infrastructure/text-order.js';
import type { Catalog } from '../../../../content/catalog.js';
import { applyView } from '../../../access/views/index.js';
import type { AssetFilter } from './asset-filter-sql.js';
import { AssetListRepository } from './asset-list.repository.js';

/**
 * Deletes a locked asset. Its bytes stay for as long as another asset or version has them.
 * @throws AppError 409 `media_in_use`
 */
async function removeAsset(work: UnitOfWork, asset: StoredAsset, force: boolean): Promise<void> {
  authorizeAsset(work, asset, { action: 'delete' });
  const assets = work.use(AssetRepository);
  if (!force && (await assets.isUsed(asset.id))) throw new AppError('media_in_use');
  await assets.remove(asset);
  work.emit(assetEvent('deleted', asset));
}

export async function deleteAsset(
  work: UnitOfWork,
  { id, force }: InputOf<typeof media.delete>,
): Promise<{ data: Deleted }> {
  const asset = await work.use(AssetRepository).lock(id);
  await removeAsset(work, asset, force);
  return { data: { id: asset.id, deleted: true } };
}

type BulkAssetsInput = InputOf<typeof media.bulk>;
type Params = BulkAssetsInput['params'];

const paramOf = { delete: 'force', move: 'folderId', tag: 'tags', untag: 'tags' } as const satisfies Record<
  MediaBulkAction,
  keyof Params
>;

/** @throws AppError 422 for params that the action does not take, or lacks */
function assertParams({ action, params }: BulkAssetsInput): void {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const unknown = given
    .filter(([name]) => name !== paramOf[action])
    .map(([name]) => ({
      path: ['params', name],
      code: 'unrecognized_key',
      message: `${action} does not accept ${name}.`,
    }));
  const name = paramOf[action];
  const isMissing = action !== 'delete' && params[name] === undefined;
  const missing = isMissing
    ? [{ path: ['params', name], code: 'required', message: `${action} requires ${name}.` }]
    : [];
  const issues = [...unknown, ...missing];
  if (issues.length > 0) throw invalidInput(...issues);
}

/** The properties that the action changes. */
function changeOf(asset: StoredAsset, { action, params }: BulkAssetsInput): Partial<AssetProperties> {
  const { folderId = null, tags = [] } = params;
  if (action === 'move') return { folderId: folderId?.toLowerCase() ?? null };
  const without = (others: readonly string[], from: readonly string[]): string[] =>
    from.filter((tag) => !others.some((other) => other.normalize('NFC') === tag.normalize('NFC')));
  if (action === 'tag')
    return { tags: assertTagCount([...asset.tags, ...new Set(without(asset.tags, tags))]) };
  return { tags: without(tags, asset.tags) };
}

async function changeAsset(work: UnitOfWork, id: string, input: BulkAssetsInput): Promise<MediaBulkItem> {
  const assets = work.use(AssetRepository);
  const before = await assets.lock(id);
  if (input.action === 'delete') {
    await removeAsset(work, before, input.params.force === true);
    return { assetId: id, ok: true };
  }
  authorizeAsset(work, before, { action: 'update' });
  const change = changeOf(before, input);
  if (!hasChanges(before, change)) return { assetId: id, ok: true, version: before.version };
  const version = before.version + 1;
  const after = { ...before, ...change, version, updatedAt: work.now, updatedBy: work.scope.actor };
  await assets.save(before, after);
  work.emit(assetEvent('updated', after));
  return { assetId: id, ok: true, version };
}

/** A failure undoes only its asset. */
async function outcomeOf(work: UnitOfWork, id: string, input: BulkAssetsInput): Promise<MediaBulkItem> {
  try {
    return await work.part((part) => changeAsset(part, id, input));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { assetId: id, ok: false, error: code, message, ...(details !== undefined && { details }) };
  }
}

/** In the order of ids, so that concurrent calls do not wait for each other. */
export async function bulkAssets(
  work: UnitOfWork,
  input: BulkAssetsInput,
): Promise<{ data: MediaBulkResult }> {
  assertParams(input);
  const { folderId } = input.params;
  if (typeof folderId === 'string') await work.use(FolderRepository).find(folderId, ['params', 'folderId']);
  const ids = [...new Set(input.assetIds.map((id) => id.toLowerCase()))];
  const outcomes = new Map<string, MediaBulkItem>();
  for (const id of ids.toSorted()) outcomes.set(id, await outcomeOf(work, id, input));
  const results = ids.flatMap((id) => outcomes.get(id) ?? []);
  const failed = results.filter(({ ok }) => !ok).length;
  const { action } = input;
  return { data: { action, total: results.length, succeeded: results.length - failed, failed, results } };
}

export async function getAsset(
  work: UnitOfWork,
  input: InputOf<typeof media.get>,
  { urls }: AssetServices,
): Promise<{ data: MediaAsset }> {
  const catalog = await work.use(CatalogRepository).current();
  const locale = assetLocaleOf(catalog, input.locale);
  const asset = await work.use(AssetRepository).find(input.id);
  return { data: await showAsset(work, asset, { urls, catalog, locale }) };
}

type ListAssetsInput = InputOf<typeof media.list>;

/** @throws AppError 404 `site_not_found`, `locale_not_found` */
function filterOf(catalog: Catalog, input: ListAssetsInput): AssetFilter {
  const { missingAltText: without } = input;
  const siteIds = input.siteId?.map((id) => {
    const site = catalog.site(id.toLowerCase());
    if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
    return site.id;
  });
  return {
    folderId: input.folderId?.toLowerCase() ?? null,
    mimeType: input.mimeType ?? null,
    tags: input.tag?.flatMap(textForms) ?? null,
    siteIds: siteIds ?? null,
    missingAltText: without === undefined ? null : assetLocaleOf(catalog, without, 'missingAltText'),
    ids: input.id ?? null,
    sourceChecksums: input.sourceChecksum ?? null,
    isUnused: input.unused ?? null,
    contains: input.q?.normalize('NFC') ?? null,
  };
}

export async function listAssets(
  work: UnitOfWork,
  given: ListAssetsInput,
  { urls }: AssetServices,
): Promise<{ data: MediaAsset[]; meta: ListMeta }> {
  const input = await applyView(work, 'media', given);
  const catalog = await work.use(CatalogRepository).current();
  const locale = assetLocaleOf(catalog, input.locale);
  const filter = filterOf(catalog, input);
  if (filter.folderId !== null) await work.use(FolderRepository).find(filter.folderId, ['folderId']);
  const page = openPage(input, { name: 'media', scope: work.scope });
  const { orderBy = 'updatedAt:desc' } = input;
  const found = await work
    .use(AssetListRepository)
    .list(filter, { orderBy, ...page.window, locales: catalog.localeChain(locale) });
  const items = found.items.map((details) => presentAsset(details, { urls, catalog, locale }));
  return page.envelope({ ...found, items });
}

interface SigningServices {
  readonly urls: {
    signed(
      file: AssetAddress,
      use: {
        readonly expiresAt: Date;
        readonly keyId: string | null;
        readonly transform?: MediaTransform | undefined;
      },
    ): string;
  };
}

/** The URL is a credential for the file, so the record names its creator. */
export async function signUrl(
  work: UnitOfWork,
  { projectSlug, id, expiresIn, transform }: InputOf<typeof media.signUrl>,
  { urls }: SigningServices,
): Promise<{ data: { url: string; expiresAt: string } }> {
  const assets = work.use(AssetRepository);
  const asset = await assets.find(id);
  const end = new Date((Math.floor(work.now.getTime() / 1000) + expiresIn) * 1000);
  const expiresAt = withinKey(work.scope, end);
  const { checksum, fileName } = asset;
  const file = { projectSlug, id: asset.id, checksum, fileName };
  const url = urls.signed(file, { expiresAt, keyId: makingKey(work.scope), transform });
  assets.noteSigned(asset, { expiresAt: expiresAt.toISOString(), transform: transform ?? null });
  return { data: { url, expiresAt: expiresAt.toISOString() } };
}
