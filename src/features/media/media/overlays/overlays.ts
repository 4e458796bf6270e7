import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { MediaAssetLocale } from '../../../../../contracts/media/media/media-asset.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { presentOverlay, assetEvent } from '../asset.presenter.js';
import { AssetRepository } from '../asset.repository.js';
import { OverlayRepository } from './overlay.repository.js';
import { hasChanges, definedKeys } from '../../../shared/lists.js';
import type { StoredAsset, StoredOverlay } from '../stored-asset.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { authorizeAsset } from '../asset-rights.js';

export async function listOverlays(
  work: UnitOfWork,
  { id }: InputOf<typeof media.listLocales>,
): Promise<{ data: MediaAssetLocale[] }> {
  const asset = await work.use(AssetRepository).find(id);
  const overlays = await work.use(OverlayRepository).list(asset.id);
  return { data: overlays.map(presentOverlay) };
}

/** Omitted values stay, null clears. */
export interface OverlayChange {
  readonly altText?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly override?: Pick<StoredOverlay, 'overrideStorageKey' | 'overrideAssetId'> | undefined;
}

const emptyAsNull = (value: string | null | undefined, before: string | null): string | null =>
  value === undefined ? before : value || null;

interface OverlayWrite {
  readonly locale: string;
  readonly change: OverlayChange;
}

const newOverlay = ({ now }: UnitOfWork, { id: assetId }: StoredAsset, locale: string): StoredOverlay => ({
  assetId,
  locale,
  altText: null,
  title: null,
  description: null,
  overrideStorageKey: null,
  overrideAssetId: null,
  createdAt: now,
  updatedAt: now,
});

/** Creates the overlay on its first write. Equal values change nothing. Requires the lock of the asset. */
export async function writeOverlay(
  work: UnitOfWork,
  asset: StoredAsset,
  { locale, change }: OverlayWrite,
): Promise<StoredOverlay> {
  const overlays = work.use(OverlayRepository);
  const before = await overlays.find(asset.id, locale);
  const known = before ?? newOverlay(work, asset, locale);
  const given = {
    altText: emptyAsNull(change.altText, known.altText),
    title: emptyAsNull(change.title, known.title),
    description: emptyAsNull(change.description, known.description),
    ...change.override,
  };
  if (before !== undefined && !hasChanges(before, given)) return before;
  const after = { ...known, ...given, updatedAt: work.now };
  await overlays.save(after);
  overlays.note(asset, before, after);
  work.emit(assetEvent('locale_updated', asset, { locale }));
  return after;
}

/** The first overlay of a new asset, which is part of the asset's record and event. */
export async function writeFirstOverlay(
  work: UnitOfWork,
  asset: StoredAsset,
  { locale, change }: OverlayWrite,
): Promise<void> {
  const { altText, title, description } = change;
  const values = { altText: altText || null, title: title || null, description: description || null };
  if (Object.values(values).every((value) => value === null)) return;
  await work.use(OverlayRepository).save({ ...newOverlay(work, asset, locale), ...values });
}

const BY_ID = 'asset:';

/** The asset whose file an overlay shows (rule media/overlays). */
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

/** Upserts the overlay of a locale (rule media/overlays). */
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
