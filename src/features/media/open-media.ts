import { MediaSignatures } from '../../access/media-signature.js';
import { deriveSecret, type Secrets } from '../../access/derived-secret.js';
import { WorkQueue } from '../../infrastructure/images/work-queue.js';
import { FileScanner } from '../../infrastructure/scanner/file-scanner.js';
import { DiskStorage } from '../../infrastructure/storage/disk-storage.js';
import { S3Storage, type S3Settings } from '../../infrastructure/storage/s3-storage.js';
import { MediaUrls } from './deliver/media-urls.js';
import type { MediaServices } from './media-services.js';
import { FileReceiver } from './receive/receive-file.js';

export interface MediaOptions {
  /** Absolute: files, or with S3 only temporary ones. */
  readonly directory: string;
  /** Unset: files are stored in the directory. */
  readonly s3?: S3Settings | undefined;
  /** Without a final slash; unset: the URL of the service. */
  readonly baseUrl?: string | undefined;
  /** The first one signs URLs. */
  readonly secrets: Secrets;
  /** Renditions that a process makes concurrently. */
  readonly transformConcurrency?: number | undefined;
  readonly scanner?: string | undefined;
}

/** Uploads wait as long as their clients do. */
const WAITING_UPLOADS = 1000;

/** @param serviceUrl without a final slash */
export function openMedia(options: MediaOptions, serviceUrl: string): MediaServices {
  const { directory, s3, secrets, transformConcurrency: concurrency = 1 } = options;
  const storage = s3 === undefined ? new DiskStorage(directory) : new S3Storage(s3, `${directory}/staging`);
  const scanner = new FileScanner({
    url: options.scanner,
    secret: deriveSecret(secrets[0], 'headwater scanner requests'),
  });
  const queue = new WorkQueue({ concurrency, waiting: WAITING_UPLOADS });
  return {
    storage,
    receiver: new FileReceiver({ storage, scanner, queue }),
    urls: new MediaUrls(options.baseUrl ?? serviceUrl, new MediaSignatures(secrets)),
  };
}
