import type { Neighbour } from '../../../infrastructure/neighbours/neighbour.js';
import type { MediaStorage } from '../../../infrastructure/storage/media-storage.js';
import type { UrlDownloader } from '../../../infrastructure/url-download.js';
import type { MediaUrls } from './deliver/media-urls.js';
import type { FileServer } from './deliver/serve-file.js';
import type { FileReceiver } from './receive/receive-file.js';
import type { UploadQuota } from './shared/open-upload.repository.js';
import type { RunningCompletions } from './shared/file-refusal.js';

/** What uses of files need beside the database. */
export interface MediaServices {
  readonly storage: MediaStorage;
  readonly receiver: FileReceiver;
  readonly urls: MediaUrls;
  readonly quota: UploadQuota;
  readonly files: FileServer;
  readonly completions: RunningCompletions;
  readonly downloads: UrlDownloader;
  /** The servers that files are imported from. */
  readonly imports: Neighbour;
}
