import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileReceiver } from '../../../src/features/media/media/index.js';
import { ImageLanes, imageWork } from '../../../src/infrastructure/image-work/image-work.js';
import { WorkQueue } from '../../../src/infrastructure/images/work-queue.js';
import { FileScanner } from '../../../src/infrastructure/scanner/file-scanner.js';
import { DiskStorage } from '../../../src/infrastructure/storage/disk-storage.js';

const CHUNK = Buffer.alloc(65_536, 7);
const BYTES = 1024 * 1024 * 1024;

/** A ZIP archive that holds nothing but its signature. */
function* bytes(): Generator<Buffer> {
  yield Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
  for (let sent = 0; sent < BYTES; sent += CHUNK.length) yield CHUNK;
}

export interface Received {
  readonly ownSeconds: number;
  readonly bareSeconds: number;
  readonly grownMb: number;
}

const residentMb = (): number => process.memoryUsage().rss / 1e6;

/** Receives 1 GiB, compared with a pipe into a file with a hash. */
export async function receiveLargeFile(): Promise<Received> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-'));
  const storage = new DiskStorage(directory);
  const lane = { images: imageWork, queue: new WorkQueue({ concurrency: 1, waiting: 1 }) };
  const receiver = new FileReceiver({
    storage,
    scanner: new FileScanner({ secret: Buffer.alloc(32) }),
    lanes: new ImageLanes(lane, lane),
  });
  const receive = (source: Readable, maximumBytes: number) =>
    receiver.receive({ tenantId: 'bench', source, fileName: 'a.zip', maximumBytes });
  try {
    // Loads what every upload needs.
    await receive(Readable.from([Buffer.from('text')]), 10).catch(() => undefined);
    const before = residentMb();
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, residentMb())), 20);
    const start = performance.now();
    await receive(Readable.from(bytes()), 2 * BYTES);
    clearInterval(watch);
    const ownSeconds = (performance.now() - start) / 1000;
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const bareStart = performance.now();
    const bareFile = path.join(directory, 'bare');
    await pipeline(Readable.from(bytes()), hashing, createWriteStream(bareFile, { flush: true }));
    const bareSeconds = (performance.now() - bareStart) / 1000;
    return { ownSeconds, bareSeconds, grownMb: highest - before };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
