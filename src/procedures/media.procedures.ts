import { media as mediaContracts } from '../../contracts/media/media/media.contract.js';
import {
  bulkAssets,
  deleteAsset,
  getAsset,
  listAssets,
  signUrl,
} from '../features/media/media/assets/assets.js';
import { importAsset } from '../features/media/media/assets/import-asset.js';
import { updateAsset } from '../features/media/media/assets/update-asset.js';
import { uploadAsset } from '../features/media/media/assets/upload-asset.js';
import { listOverlays, putOverlay } from '../features/media/media/overlays/overlays.js';
import { listAssetReferences } from '../features/media/media/uses/list-asset-references.js';
import {
  listAssetVersions,
  replaceFile,
  restoreFile,
} from '../features/media/media/versions/replace-file.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';
import { mediaFolders as mediaFoldersContracts } from '../../contracts/media/media-folders/media-folders.contract.js';
import {
  createFolder,
  deleteFolder,
  getFolder,
  listFolders,
  updateFolder,
} from '../features/media/media/folders/folders.js';
import { mediaUploads as mediaUploadsContracts } from '../../contracts/media/media-uploads/media-uploads.contract.js';
import { abortUpload, createUpload, getUpload } from '../features/media/media/uploads/create-upload.js';
import { appendUpload } from '../features/media/media/uploads/append-upload.js';
import { completeUpload } from '../features/media/media/uploads/complete-upload.js';

const mediaServices = ({ media }: Services) => media;

export const media = bind(mediaContracts, {
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

export const mediaFolders = bind(mediaFoldersContracts, {
  list: query(listFolders),
  create: mutation(createFolder),
  get: query(getFolder),
  update: mutation(updateFolder),
  delete: mutation(deleteFolder),
});

const uploadServices = ({ media, baseUrl }: Services) => ({ ...media, baseUrl });

export const mediaUploads = bind(mediaUploadsContracts, {
  create: mutation(createUpload, { with: uploadServices }),
  get: query(getUpload, { with: uploadServices }),
  append: mutation(appendUpload, { inParts: true, with: uploadServices }),
  complete: mutation(completeUpload, { inParts: true, with: uploadServices }),
  abort: mutation(abortUpload, { inParts: true, with: uploadServices }),
});
