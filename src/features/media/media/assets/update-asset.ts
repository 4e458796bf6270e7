import { AppError } from '../../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { assetEvent, defaultLocaleOf, type AssetServices } from '../asset.presenter.js';
import { AssetRepository } from '../asset.repository.js';
import type { StoredAsset } from '../stored-asset.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { MediaAsset } from '../../../../../contracts/media/media/media-asset.js';
import type { Catalog } from '../../../../content/catalog.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { definedKeys, hasChanges } from '../../../shared/lists.js';
import { authorizeAsset, authorizeSites } from '../asset-rights.js';
import { renamedFile } from '../receive/file-name.js';
import { writeOverlay } from '../overlays/overlays.js';
import { withInput } from './asset-input.js';
import { showAsset } from './show-asset.js';

/** Saves a locked asset as its next version. */
export async function saveAsset(
  work: UnitOfWork,
  before: StoredAsset,
  changes: Partial<StoredAsset>,
): Promise<StoredAsset> {
  const after: StoredAsset = {
    ...before,
    ...changes,
    version: before.version + 1,
    updatedAt: work.now,
    updatedBy: work.scope.actor,
  };
  await work.use(AssetRepository).save(before, after);
  work.emit(assetEvent('updated', after));
  return after;
}

type Change = Omit<InputOf<typeof media.update>, 'projectSlug' | 'id' | 'version'>;

/** @throws AppError 409 `version_conflict` */
export function assertAssetVersion(asset: StoredAsset, version: number | undefined): void {
  if (version === undefined || version === asset.version) return;
  throw new AppError(
    'version_conflict',
    {
      expectedVersion: version,
      currentVersion: asset.version,
      updatedAt: asset.updatedAt.toISOString(),
      updatedBy: asset.updatedBy,
    },
    'The asset has changed since the version you sent.',
  );
}

const overlayKeys = ['altText', 'title', 'description'] as const;
const isOverlayKey = (key: string): boolean => (overlayKeys as readonly string[]).includes(key);

/** Locales that the change writes; null means values that every locale shares. */
function writtenLocales(given: Partial<Change>, locale: string): (string | null)[] {
  const keys = Object.keys(given);
  return [...(keys.some(isOverlayKey) ? [locale] : []), ...(keys.every(isOverlayKey) ? [] : [null])];
}

/** Changes the properties that no locale overlays. Equal values change nothing. */
async function saveProperties(
  work: UnitOfWork,
  before: StoredAsset,
  { catalog, given }: { readonly catalog: Catalog; readonly given: Partial<Change> },
): Promise<StoredAsset> {
  const properties = withInput(catalog, before, given);
  const added = properties.siteIds.filter((id) => !before.siteIds.includes(id));
  if (given.siteIds !== undefined)
    authorizeSites(work, { ...before, ...properties }, { action: 'update', added });
  const fileName = given.fileName === undefined ? before.fileName : renamedFile(before, given.fileName);
  const changed = { ...properties, fileName };
  if (!hasChanges(before, changed)) return before;
  return saveAsset(work, before, changed);
}

export async function updateAsset(
  work: UnitOfWork,
  input: InputOf<typeof media.update>,
  { urls }: AssetServices,
): Promise<{ data: MediaAsset }> {
  const { projectSlug: _project, id, version, ...change } = input;
  const given = definedKeys(change);
  const catalog = await work.use(CatalogRepository).current();
  const locale = defaultLocaleOf(catalog);
  const before = await work.use(AssetRepository).lock(id);
  authorizeAsset(work, before, { action: 'update', locales: writtenLocales(given, locale) });
  assertAssetVersion(before, version);
  const after = await saveProperties(work, before, { catalog, given });
  if (Object.keys(given).some(isOverlayKey)) await writeOverlay(work, after, { locale, change: given });
  return { data: await showAsset(work, after, { urls, catalog, locale }) };
}
