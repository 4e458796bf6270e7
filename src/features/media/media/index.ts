export { FileReceiver } from './receive/receive-file.js';
export { FileServer, type FileOutcome, type ServedFile } from './deliver/serve-file.js';
export { KnownFiles } from './deliver/serve-file.js';
export { MediaFileReader, RenditionClaims } from './deliver/media-file.repository.js';
export { MediaUrls } from './deliver/media-urls.js';
export { Renditions, SmallObjects, type FileBytes } from './deliver/renditions.js';
export { MediaListCheckRepository, StoredFileRepository } from './upkeep/stored-files.repository.js';
export { copyMedia } from './upkeep/copy-media.js';
export { fileRefusal, RunningCompletions, stageFile } from './shared/file-refusal.js';
export { sweepAbandoned, sweepMedia, type NamedFiles } from './upkeep/sweep-media.js';
export { UploadRepository } from './uploads/upload.repository.js';
export type { MediaServices } from './media-services.js';
export type { UploadQuota } from './shared/open-upload.repository.js';
export type { AssetUrls } from './asset.presenter.js';
export { transformQuery } from './deliver/media-urls.js';
export { deliverAsset, type MediaSource } from './read/deliver-asset.js';
export { MediaReader } from './read/media-reader.repository.js';
export {
  MediaFactsRepository,
  type UsedAsset,
  PublishedMediaRepository,
} from './uses/asset-reference.repository.js';
export { importImage, type ImportServices } from './assets/import-asset.js';
export { putFileBack, takeFile } from './versions/replace-file.js';
export { AssetRepository } from './asset.repository.js';
