import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { FocalPoint, Visibility } from '../../../../../contracts/media/media/media-asset.js';
import type { Catalog } from '../../../../content/catalog.js';
import { assertSites } from '../asset-rights.js';
import type { StoredAsset } from '../stored-asset.js';

/** The request for an asset, apart from its file. */
export type AssetRequest = Omit<InputOf<typeof media.upload>, 'projectSlug' | 'file'>;

/** The properties of an asset that callers set. */
export type AssetProperties = Pick<
  StoredAsset,
  'folderId' | 'tags' | 'siteIds' | 'focalPoint' | 'visibility'
>;

interface AssetInput {
  readonly folderId?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly siteIds?: readonly string[] | undefined;
  readonly focalPoint?: FocalPoint | null | undefined;
  readonly visibility?: Visibility | undefined;
}

export const newProperties: AssetProperties = {
  folderId: null,
  tags: [],
  siteIds: [],
  focalPoint: null,
  visibility: 'public',
};

/** @throws AppError 422 `limit_reached` */
export function assertTagCount(tags: readonly string[]): readonly string[] {
  const maximum = limits.mediaTags;
  if (tags.length > maximum) throw new AppError('limit_reached', { maximum });
  return tags;
}

/**
 * The properties after a change; omitted ones stay.
 * @throws AppError 404 `site_not_found`
 */
export function withInput(catalog: Catalog, before: AssetProperties, input: AssetInput): AssetProperties {
  const { folderId, tags, siteIds, focalPoint, visibility } = input;
  const sites = siteIds && [...new Set(siteIds.map((id) => id.toLowerCase()))];
  if (sites !== undefined) assertSites((id) => catalog.site(id), sites);
  return {
    folderId: folderId === undefined ? before.folderId : (folderId?.toLowerCase() ?? null),
    tags: tags === undefined ? before.tags : [...new Set(tags)],
    siteIds: sites ?? before.siteIds,
    focalPoint: focalPoint === undefined ? before.focalPoint : focalPoint,
    visibility: visibility ?? before.visibility,
  };
}
