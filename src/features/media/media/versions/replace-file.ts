import {
  listEnvelope,
  type PageMeta,
  withWarnings,
  type Warned,
} from '../../../../../contracts/envelopes.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { MediaVersion } from '../../../../../contracts/media/media/media-file.js';
import type { UnitOfWork, RunPart } from '../../../../persistence/work/unit-of-work.js';
import { AssetRepository, fileOf } from '../asset.repository.js';
import { AssetVersionRepository } from './asset-version.repository.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { MediaAsset } from '../../../../../contracts/media/media/media-asset.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { defaultLocaleOf, type AssetServices } from '../asset.presenter.js';
import { authorizeAsset } from '../asset-rights.js';
import { saveAsset, assertAssetVersion } from '../assets/update-asset.js';
import { showAsset } from '../assets/show-asset.js';
import { announcedSize, receiveInput, type UploadServices } from '../assets/upload-asset.js';
import { receiveRequest } from '../shared/file-refusal.js';
import type { StoredAsset, StoredFile } from '../stored-asset.js';

export async function listAssetVersions(
  work: UnitOfWork,
  input: InputOf<typeof media.listVersions>,
): Promise<{ data: MediaVersion[]; meta: PageMeta }> {
  const asset = await work.use(AssetRepository).find(input.id);
  const versions = work.use(AssetVersionRepository);
  const { limit, page } = input;
  const { items, total } = await versions.list(asset.id, { limit, offset: (page - 1) * limit });
  const current = await versions.current(asset.id);
  const data = items.map(({ version, file, createdAt, createdBy }) => ({
    versionNum: version,
    isCurrent: version === current,
    fileName: file.fileName,
    mimeType: file.mimeType,
    size: file.size,
    width: file.width,
    height: file.height,
    checksum: file.checksum,
    createdAt: createdAt.toISOString(),
    createdBy,
  }));
  return listEnvelope({ items: data, total }, input);
}

/** Locks the asset and checks that the caller may change this version. */
export async function lockForFile(
  work: UnitOfWork,
  { id, version }: { readonly id: string; readonly version?: number | undefined },
): Promise<StoredAsset> {
  const asset = await work.use(AssetRepository).lock(id);
  authorizeAsset(work, asset, { action: 'update' });
  assertAssetVersion(asset, version);
  return asset;
}

/** Gives a locked asset another file, which becomes a version. The same file changes nothing. */
export async function withFile(
  work: UnitOfWork,
  before: StoredAsset,
  file: StoredFile,
): Promise<StoredAsset> {
  if (before.sourceChecksum === file.sourceChecksum && before.checksum === file.checksum) return before;
  return saveAsset(work, before, file);
}

/** What a replacement needs to be undone: the versions that have the files before and after. */
export interface ReplacedFile {
  readonly from: number;
  readonly to: number;
}

/**
 * Gives an asset the file of another one; undefined if it has it already.
 * @throws AppError 404 `media_not_found`, 403 `permission_denied`
 */
export async function takeFile(
  work: UnitOfWork,
  { id, fromId }: { readonly id: string; readonly fromId: string },
): Promise<ReplacedFile | undefined> {
  const before = await lockForFile(work, { id });
  const from = await work.use(AssetVersionRepository).current(before.id);
  const after = await withFile(work, before, fileOf(await work.use(AssetRepository).find(fromId)));
  return after === before ? undefined : { from, to: after.version };
}

/**
 * Undoes {@link takeFile}; false if the asset has got another file since.
 * @throws AppError 404 `media_not_found`, 403 `permission_denied`
 */
export async function putFileBack(
  work: UnitOfWork,
  id: string,
  { from, to }: ReplacedFile,
): Promise<boolean> {
  const before = await lockForFile(work, { id });
  const versions = work.use(AssetVersionRepository);
  const [former, put] = await Promise.all([versions.find(before.id, from), versions.find(before.id, to)]);
  if (former === undefined || put?.file.checksum !== before.checksum) return false;
  await withFile(work, before, former.file);
  return true;
}

async function show(
  work: UnitOfWork,
  asset: StoredAsset,
  { urls }: AssetServices,
): Promise<{ data: MediaAsset }> {
  const catalog = await work.use(CatalogRepository).current();
  return { data: await showAsset(work, asset, { urls, catalog, locale: defaultLocaleOf(catalog) }) };
}

/** Two replacements at once are both versions, unless they name the version that they replace. */
export async function replaceFile(
  inPart: RunPart,
  { id, version, file }: InputOf<typeof media.replace>,
  services: UploadServices,
): Promise<Warned<MediaAsset>> {
  return receiveRequest(inPart, {
    quota: services.quota,
    size: announcedSize(file),
    plan: async (work) => {
      await lockForFile(work, { id, version });
      return (await work.use(CatalogRepository).current()).data.tenant.id;
    },
    receive: (tenantId) => receiveInput(services, file, tenantId),
    register: async (work, { warnings, ...stored }) => {
      const before = await lockForFile(work, { id, version });
      const { data } = await show(work, await withFile(work, before, stored), services);
      return withWarnings(data, warnings);
    },
  });
}

export async function restoreFile(
  work: UnitOfWork,
  { id, version, versionNum }: InputOf<typeof media.restoreVersion>,
  services: AssetServices,
): Promise<{ data: MediaAsset }> {
  const before = await lockForFile(work, { id, version });
  const isVersion = versionNum >= 1 && versionNum <= before.version;
  const found = isVersion ? await work.use(AssetVersionRepository).find(before.id, versionNum) : undefined;
  if (found === undefined) throw new AppError('version_not_found');
  return show(work, await withFile(work, before, found.file), services);
}
