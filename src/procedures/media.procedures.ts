import { media as contracts } from '../../contracts/management/media.contract.js';
import { bulkAssets } from '../features/media/assets/bulk-assets.js';
import { deleteAsset } from '../features/media/assets/delete-asset.js';
import { getAsset } from '../features/media/assets/get-asset.js';
import { importAsset } from '../features/media/assets/import-asset.js';
import { listAssets } from '../features/media/assets/list-assets.js';
import { signUrl } from '../features/media/assets/sign-url.js';
import { updateAsset } from '../features/media/assets/update-asset.js';
import { uploadAsset } from '../features/media/assets/upload-asset.js';
import { listOverlays } from '../features/media/overlays/list-overlays.js';
import { putOverlay } from '../features/media/overlays/put-overlay.js';
import { listAssetReferences } from '../features/media/uses/list-asset-references.js';
import { listAssetVersions } from '../features/media/versions/list-asset-versions.js';
import { replaceFile, restoreFile } from '../features/media/versions/replace-file.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';

const mediaServices = ({ media }: Services) => media;

export const media = bind(contracts, {
  list: query(listAssets, { with: mediaServices }),
  upload: mutation(uploadAsset, { inParts: true, with: mediaServices }),
  importUrl: mutation(importAsset, { inParts: true, with: mediaServices }),
  get: query(getAsset, { with: mediaServices }),
  update: mutation(updateAsset, { with: mediaServices }),
  delete: mutation(deleteAsset),
  listLocales: query(listOverlays),
  putLocale: mutation(putOverlay),
  replace: mutation(replaceFile, { inParts: true, with: mediaServices }),
  listVersions: query(listAssetVersions),
  restoreVersion: mutation(restoreFile, { with: mediaServices }),
  listReferences: query(listAssetReferences),
  signUrl: mutation(signUrl, { with: mediaServices }),
  bulk: mutation(bulkAssets),
});
