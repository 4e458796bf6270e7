import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { packTar } from 'modern-tar/fs';
import { readFailure } from './read-lines.js';

/** Text of exports is compressed to a tenth. More than this, from 16 MiB on, is made to fill a disk. */
const HIGHEST_RATIO = 200;
const UNSUSPICIOUS_BYTES = 16 * 1024 * 1024;
const MAXIMUM_FILES = 500_000;

class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem';
}

/** Whether an archive may have a file of this name. */
type IsExpected = (name: string) => boolean;

interface Unpacking {
  readonly folder: string;
  readonly isExpected: IsExpected;
  /** Counts bytes before they are written. @throws ArchiveProblem */
  count(bytes: number, name: string): void;
}

/** Writes one entry. @throws ArchiveProblem if it would be written elsewhere, or is not expected */
async function unpackEntry(
  { header, body }: ParsedTarEntry,
  { folder, isExpected, count }: Unpacking,
): Promise<void> {
  const { name, type = 'file' } = header;
  if (type === 'pax-global-header') return body.cancel();
  if (type !== 'file' && type !== 'directory')
    throw new ArchiveProblem(`${JSON.stringify(name)} is a link or device, which exports do not have`);
  const steps = name.split('/').filter((step) => step !== '' && step !== '.');
  if (name.startsWith('/') || /[\\\0]/.test(name) || steps.includes('..'))
    throw new ArchiveProblem(`${JSON.stringify(name)} is outside the archive`);
  if (type === 'directory' || steps.length === 0) return body.cancel();
  if (!isExpected(steps.join('/')))
    throw new ArchiveProblem(`${JSON.stringify(name)} is no file of an export`);
  const file = path.join(folder, ...steps);
  await mkdir(path.dirname(file), { recursive: true });
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      count(chunk.length, name);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.from(counted()), createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ArchiveProblem(`it has ${name} twice`);
    throw error;
  }
}

interface UnpackOptions {
  readonly isExpected?: IsExpected;
  /** Of all files; any number by default. */
  readonly maximumBytes?: number;
}

async function unpack(
  archive: string,
  folder: string,
  { isExpected = () => true, maximumBytes = Infinity }: UnpackOptions,
): Promise<void> {
  const input = createReadStream(archive);
  const { readable, writable } = createTarDecoder({ strict: true });
  let [written, files] = [0, 0];
  const count = (bytes: number, name: string): void => {
    written += bytes;
    if (written > maximumBytes)
      throw new ArchiveProblem(`its files have more than ${String(maximumBytes)} bytes`);
    if (written > UNSUSPICIOUS_BYTES && written > input.bytesRead * HIGHEST_RATIO)
      throw new ArchiveProblem(`${name} is compressed to less than 1/${String(HIGHEST_RATIO)}`);
  };
  const target = Writable.fromWeb(writable as never);
  const isPlain = archive.endsWith('.tar');
  const fed = isPlain ? pipeline(input, target) : pipeline(input, createGunzip(), target);
  // The failure of the reader is the one to report.
  const failed = fed.catch((error: unknown) => error);
  try {
    for await (const entry of readable as unknown as AsyncIterable<ParsedTarEntry>) {
      files += 1;
      if (files > MAXIMUM_FILES) throw new ArchiveProblem('it has too many files');
      await unpackEntry(entry, { folder, isExpected, count });
    }
    const failure = await failed;
    if (failure !== undefined) throw failure as Error;
  } finally {
    input.destroy();
  }
}

/** A folder, or an archive that was unpacked into one, which `remove` removes. */
export interface OpenedFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/** @throws Error with one line for people */
export async function openFolder(name: string, options: UnpackOptions = {}): Promise<OpenedFolder> {
  const found = await stat(name).catch((error: unknown) => {
    throw new Error(`The file ${name} cannot be read: ${readFailure(error)}.`, { cause: error });
  });
  if (found.isDirectory()) return { folder: name, remove: () => Promise.resolve() };
  const folder = await mkdtemp(path.join(tmpdir(), `headwater-export-${String(process.pid)}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await unpack(name, folder, options);
    return { folder, remove };
  } catch (error) {
    await remove();
    const reason =
      error instanceof ArchiveProblem ? error.message : 'it is damaged, incomplete or no tar archive';
    throw new Error(`The file ${name} cannot be unpacked: ${reason}.`, { cause: error });
  }
}

/** Writes a compressed archive of files below a folder, in this order. */
export async function packFiles(folder: string, names: readonly string[], archive: string): Promise<void> {
  const files = names.map((target) => ({ type: 'file' as const, source: path.join(folder, target), target }));
  await pipeline(packTar(files), createGzip(), createWriteStream(archive));
}
