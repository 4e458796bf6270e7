import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { hasChanges } from '../../shared/index.js';
import { assetEvent } from '../asset.events.js';
import type { StoredAsset, StoredOverlay } from '../stored-asset.js';
import { OverlayRepository } from './overlay.repository.js';

/** Omitted values stay, null clears. */
export interface OverlayChange {
  readonly altText?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly override?: Pick<StoredOverlay, 'overrideStorageKey' | 'overrideAssetId'> | undefined;
}

const emptyAsNull = (value: string | null | undefined, before: string | null): string | null =>
  value === undefined ? before : value || null;

export interface OverlayWrite {
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
