import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaAssetLocale } from '../../../../contracts/resources/media-asset.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { definedKeys } from '../../shared/index.js';
import { authorizeAsset } from '../asset-rights.js';
import { presentOverlay } from '../asset.presenter.js';
import { AssetRepository } from '../asset.repository.js';
import type { StoredAsset } from '../stored-asset.js';
import { writeOverlay, type OverlayChange } from './write-overlay.js';

const BY_ID = 'asset:';

/** The asset whose file an overlay shows (decisions 3.3). */
async function overriding(
  work: UnitOfWork,
  asset: StoredAsset,
  key: string,
): Promise<NonNullable<OverlayChange['override']>> {
  const assets = work.use(AssetRepository);
  const found = await (key.startsWith(BY_ID)
    ? assets.find(key.slice(BY_ID.length)).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      })
    : assets.findByStorageKey(key));
  const path = ['overrideStorageKey'];
  if (found === undefined)
    throw invalidInput({ path, code: 'unknown_file', message: 'No asset of the project has this file.' });
  if (found.id === asset.id)
    throw invalidInput({ path, code: 'own_file', message: 'An asset cannot override its own file.' });
  return { overrideStorageKey: key, overrideAssetId: found.id };
}

/** Upserts the overlay of a locale (specification 4.3). */
export async function putOverlay(
  work: UnitOfWork,
  input: InputOf<typeof media.putLocale>,
): Promise<{ data: MediaAssetLocale }> {
  const { projectSlug: _project, id, locale, ...change } = input;
  const { overrideStorageKey: key, ...values } = definedKeys(change);
  const catalog = await work.use(CatalogRepository).current();
  const asset = await work.use(AssetRepository).lock(id);
  if (catalog.locale(locale) === undefined) throw new AppError('locale_not_found');
  authorizeAsset(work, asset, { action: 'update', locales: [locale] });
  const none = { overrideStorageKey: null, overrideAssetId: null };
  const override = key === undefined ? undefined : key === null ? none : await overriding(work, asset, key);
  const after = await writeOverlay(work, asset, { locale, change: { ...values, override } });
  return { data: presentOverlay(after) };
}
