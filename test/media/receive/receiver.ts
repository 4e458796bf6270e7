import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError } from '../../../contracts/errors.js';
import {
  FileReceiver,
  type IncomingFile,
  type ReceivedFile,
} from '../../../src/features/media/media/receive/receive-file.js';
import { ImageLanes, imageWork } from '../../../src/infrastructure/image-work/image-work.js';
import { WorkQueue } from '../../../src/infrastructure/images/work-queue.js';
import { FileScanner } from '../../../src/infrastructure/scanner/file-scanner.js';
import { DiskStorage } from '../../../src/infrastructure/storage/disk-storage.js';

export interface Receiver {
  readonly storage: DiskStorage;
  receive(content: Buffer | Readable, about?: Partial<IncomingFile>): Promise<ReceivedFile>;
  /** The error code and details of a refusal. */
  refusal(content: Buffer | Readable, about?: Partial<IncomingFile>): Promise<AppError>;
  storedBytes(file: ReceivedFile): Promise<Buffer>;
  /** Every file below the directory. */
  files(): Promise<string[]>;
  close(): Promise<void>;
}

const tenantId = '0199aaaa-0000-7000-8000-000000000001';

const asStream = (content: Buffer | Readable): Readable =>
  Buffer.isBuffer(content) ? Readable.from([content]) : content;

/** @param scanner URL of a scanner */
export async function openReceiver(scanner?: string, accepted?: readonly string[]): Promise<Receiver> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-receive-'));
  const storage = new DiskStorage(directory);
  const lane = { images: imageWork, queue: new WorkQueue({ concurrency: 1, waiting: 10 }) };
  const receiver = new FileReceiver({
    storage,
    scanner: new FileScanner({ url: scanner, secret: Buffer.alloc(32, 1) }),
    lanes: new ImageLanes(lane, lane),
    accepted,
  });
  const receive: Receiver['receive'] = (content, about = {}) =>
    receiver.receive({ tenantId, source: asStream(content), fileName: 'file', ...about });
  return {
    storage,
    receive,
    refusal: async (content, about) => {
      const failure: unknown = await receive(content, about).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure instanceof AppError) return failure;
      throw new Error('not refused', { cause: failure });
    },
    storedBytes: async ({ storageKey }) => {
      const found = await storage.read(storageKey);
      if (found === undefined) throw new Error('nothing stored');
      return buffer(found.stream);
    },
    files: async () => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
