export { FileReceiver } from './receive/receive-file.js';
export { FileServer, type FileOutcome, type ServedFile } from './deliver/serve-file.js';
export { KnownFiles } from './deliver/known-files.js';
export { MediaFileReader } from './deliver/media-file.repository.js';
export { MediaUrls } from './deliver/media-urls.js';
export { RenditionClaims } from './deliver/rendition-claims.repository.js';
export { Renditions } from './deliver/renditions.js';
export { SmallObjects, type FileBytes } from './deliver/small-objects.js';
export type { MediaServices } from './media-services.js';
