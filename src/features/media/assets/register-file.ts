import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeSites } from '../asset-rights.js';
import { assetEvent } from '../asset.events.js';
import { writeFirstOverlay, type OverlayChange } from '../overlays/write-overlay.js';
import type { StoredAsset, StoredFile } from '../stored-asset.js';
import type { AssetProperties } from './asset-input.js';
import { AssetRepository } from '../asset.repository.js';

export interface NewAsset {
  readonly properties: AssetProperties;
  readonly locale: string;
  /** Values of the locale. */
  readonly overlay: OverlayChange;
}

/** Checks the right to create an asset on these sites, before its file is read. */
export function authorizeNewAsset(work: UnitOfWork, { siteIds }: AssetProperties): void {
  const asset = { siteIds, createdBy: work.scope.actor };
  authorizeSites(work, asset, { action: 'create', added: siteIds });
}

/** An asset of the same file can stand for the new one if it is as visible and on its sites. */
const standsFor =
  ({ siteIds, visibility }: AssetProperties) =>
  (asset: StoredAsset): boolean =>
    asset.visibility === visibility &&
    (asset.siteIds.length === 0 || (siteIds.length > 0 && siteIds.every((id) => asset.siteIds.includes(id))));

/** Creates the asset of a stored file, unless there is one already (decisions 2.14). */
export async function registerFile(
  work: UnitOfWork,
  file: StoredFile,
  { properties, locale, overlay, isAlwaysNew = false }: NewAsset & { readonly isAlwaysNew?: boolean },
): Promise<{ readonly asset: StoredAsset; readonly isDuplicate: boolean }> {
  authorizeNewAsset(work, properties);
  const assets = work.use(AssetRepository);
  await assets.lockFile(file.sourceChecksum);
  const known = isAlwaysNew
    ? undefined
    : (await assets.findByFile(file.sourceChecksum)).find(standsFor(properties));
  if (known !== undefined) return { asset: known, isDuplicate: true };
  const { actor } = work.scope;
  const asset: StoredAsset = {
    ...file,
    ...properties,
    id: work.newId(),
    version: 1,
    createdAt: work.now,
    createdBy: actor,
    updatedAt: work.now,
    updatedBy: actor,
  };
  await assets.insert(asset, { locale, ...overlay });
  await writeFirstOverlay(work, asset, { locale, change: overlay });
  work.emit(assetEvent('created', asset));
  return { asset, isDuplicate: false };
}
