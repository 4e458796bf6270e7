import { AppError } from '../../../../contracts/errors.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaAsset } from '../../../../contracts/resources/media-asset.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { definedKeys, hasChanges } from '../../shared/index.js';
import { defaultLocaleOf } from '../asset-locale.js';
import { authorizeAsset, authorizeSites } from '../asset-rights.js';
import type { AssetServices } from '../asset-urls.js';
import { writeOverlay } from '../overlays/write-overlay.js';
import type { StoredAsset } from '../stored-asset.js';
import { withInput } from './asset-input.js';
import { AssetRepository } from '../asset.repository.js';
import { renamedFile } from './file-name.js';
import { saveAsset } from './save-asset.js';
import { showAsset } from './show-asset.js';

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
