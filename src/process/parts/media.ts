import path from 'node:path';
import { MediaSignatures, deriveSecret, type Secrets } from '../../access/media-signature.js';
import {
  FileReceiver,
  FileServer,
  KnownFiles,
  MediaFileReader,
  MediaUrls,
  RenditionClaims,
  Renditions,
  RunningCompletions,
  SmallObjects,
  type MediaServices,
  type UploadQuota,
} from '../../features/media/media/index.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { ComplexFile } from '../../infrastructure/files/complex-file.js';
import { ImageProcess } from '../../infrastructure/image-work/image-process.js';
import { builtFile } from '../../infrastructure/worker-calls.js';
import { ImageLanes, type Lane } from '../../infrastructure/image-work/image-work.js';
import { WorkQueue, type QueueLimits } from '../../infrastructure/images/work-queue.js';
import type { Neighbour } from '../../infrastructure/neighbours/neighbour.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { FileScanner } from '../../infrastructure/scanner/file-scanner.js';
import { DiskStorage } from '../../infrastructure/storage/disk-storage.js';
import type { MediaStorage } from '../../infrastructure/storage/media-storage.js';
import { isStorageOutage, S3Storage, type S3Settings } from '../../infrastructure/storage/s3-storage.js';
import type { Config } from '../config/config.js';
import { UrlDownloader, type DownloadOptions } from '../../infrastructure/url-download.js';
import type { ReadPool, StatementReader } from '../../persistence/connections/read-pool.js';

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
  /** Media types, groups such as `image/*`, and `default`, which is used if unset. */
  readonly acceptedTypes?: readonly string[] | undefined;
  /** Unset: 100 uploads and 50 GiB. */
  readonly openUploads?: UploadQuota | undefined;
}

/** Rule media/large-uploads. */
const OPEN_UPLOADS: UploadQuota = { maximum: 100, bytes: 50 * 1_073_741_824 };
/** Rule media/renditions. */
const RECEIVING: Omit<QueueLimits, 'concurrency'> = { waiting: 1000, waitMilliseconds: 30_000 };
/** Rule media/urls. */
const RENDITIONS: Omit<QueueLimits, 'concurrency'> = { waiting: 200, waitMilliseconds: 5000 };
/** To rasterise a drawing (rule media/received-files). */
const DRAWING_SECONDS = 2;

/** Where the files are that the settings name. */
export const mediaPlace = ({ media, storage }: Config): Pick<MediaOptions, 'directory' | 's3'> => ({
  directory: path.join(storage.directory, 'media'),
  s3: media.usesBucket ? media.bucket : undefined,
});

export function openStorage(
  { directory, s3 }: Pick<MediaOptions, 'directory' | 's3'>,
  neighbour?: Neighbour,
): MediaStorage {
  return s3 === undefined ? new DiskStorage(directory) : new S3Storage(s3, `${directory}/staging`, neighbour);
}

/** The bucket of the process, watched. */
function watchedStorage(options: MediaOptions, neighbours: Neighbours): MediaStorage {
  if (options.s3 === undefined) return openStorage(options);
  const { s3 } = options;
  const neighbour = neighbours.open({
    name: 'storage',
    isOutage: isStorageOutage,
    probe: (call) => S3Storage.probe(s3, call),
  });
  return openStorage(options, neighbour);
}

/** A drawing that takes too long ends the process, and so has it for itself. */
function drawingLane(limits: Omit<QueueLimits, 'concurrency'>): Lane {
  const milliseconds = DRAWING_SECONDS * 1000;
  const images = new ImageProcess(builtFile('image-process'), {
    milliseconds: { inspect: milliseconds, render: milliseconds },
    refusal: () => new ComplexFile('seconds', DRAWING_SECONDS),
  });
  return { images, queue: new WorkQueue({ ...limits, concurrency: 1 }) };
}

/** How files are received, and how renditions are made. */
function openLanes({
  transformConcurrency: concurrency = 1,
}: MediaOptions): Record<'receiving' | 'renditions', ImageLanes> {
  const images = new ImageProcess(builtFile('image-process'));
  const open = (limits: Omit<QueueLimits, 'concurrency'>): ImageLanes =>
    new ImageLanes({ images, queue: new WorkQueue({ ...limits, concurrency }) }, drawingLane(limits));
  return { receiving: open(RECEIVING), renditions: open(RENDITIONS) };
}

/** Files fetched from URLs concurrently. */
const DOWNLOADS = 4;
const DOWNLOAD_WAIT_MILLISECONDS = 10_000;
/** Each step of an import has its own limit. */
const IMPORT_MILLISECONDS = 300_000;

interface MediaConnections {
  /** Of the reader's role. */
  readonly reads: StatementReader;
  /** Of the service's role. */
  readonly keyPool: ReadPool;
  readonly coherence: Coherence;
  /** Without a final slash. */
  readonly serviceUrl: string;
  readonly downloads: DownloadOptions;
  readonly neighbours: Neighbours;
}

export function openMedia(options: MediaOptions, connections: MediaConnections): MediaServices {
  const { secrets } = options;
  const lanes = openLanes(options);
  const { neighbours } = connections;
  const storage = watchedStorage(options, neighbours);
  const scanner = new FileScanner({
    neighbour: options.scanner === undefined ? undefined : neighbours.open({ name: 'scanner' }),
    url: options.scanner,
    secret: deriveSecret(secrets[0], 'headwater scanner requests'),
  });
  const urls = new MediaUrls(options.baseUrl ?? connections.serviceUrl, new MediaSignatures(secrets));
  const objects = new SmallObjects(storage);
  const renditions = new Renditions({
    storage,
    objects,
    claims: new RenditionClaims(connections.keyPool),
    lanes: lanes.renditions,
  });
  const files = new KnownFiles(new MediaFileReader(connections.reads), connections.coherence);
  return {
    storage,
    receiver: new FileReceiver({
      storage,
      scanner,
      lanes: lanes.receiving,
      accepted: options.acceptedTypes,
    }),
    urls,
    quota: options.openUploads ?? OPEN_UPLOADS,
    files: new FileServer({ files, objects, renditions, urls }),
    completions: new RunningCompletions(),
    downloads: new UrlDownloader({ stallMilliseconds: neighbours.stallMs, ...connections.downloads }),
    imports: neighbours.open({
      name: 'imports',
      places: neighbours.places({ most: DOWNLOADS, lineMs: DOWNLOAD_WAIT_MILLISECONDS }),
      stallMs: IMPORT_MILLISECONDS,
      // Anyone may name a URL that does not respond.
      isOutage: () => false,
    }),
  };
}
