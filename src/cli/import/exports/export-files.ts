import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { readFailure } from '../read-lines.js';

/** More than this, from 64 MiB on, is made to fill a disk. */
const HIGHEST_RATIO = 200;
const UNSUSPICIOUS_BYTES = 64 * 1024 * 1024;
const MAXIMUM_FILES = 500_000;

const NOWHERE = 'https://export.invalid';

/** The names under which a file of this address may be stored, by host and path. */
function namesOf(address: string): string[] {
  const text = address.trim();
  if (!URL.canParse(text, NOWHERE)) return [];
  const { host, pathname, origin } = new URL(text, NOWHERE);
  let decoded = pathname;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    // An address that is not encoded is a name as it is.
  }
  // An address without a host is a path beside the export.
  const folders = origin === NOWHERE ? [host, ''] : [host];
  return folders.flatMap((folder) =>
    [...new Set([pathname, decoded])].map((name) => path.join(folder, name)),
  );
}

/** The file of an address below a folder; undefined if there is none. Never one outside the folder, even by a link. */
export async function findFile(folder: string, address: string): Promise<string | undefined> {
  const root = await realpath(folder);
  for (const name of namesOf(address)) {
    if (name.includes('\0')) continue;
    const file = await realpath(path.join(root, name)).catch(() => undefined);
    if (file?.startsWith(`${root}${path.sep}`) === true && (await stat(file)).isFile()) return file;
  }
  return undefined;
}

/** Results in order. One after the other, so that reports are the same in every run. */
export async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem';
}

/** Writes one entry. @throws ArchiveProblem if it would be written elsewhere */
async function unpackEntry(
  { header, body }: ParsedTarEntry,
  folder: string,
  count: (bytes: number) => void,
): Promise<void> {
  const { name, type = 'file' } = header;
  if (type === 'pax-global-header') return body.cancel();
  if (type !== 'file' && type !== 'directory')
    throw new ArchiveProblem(`${JSON.stringify(name)} is a link or device, which exports do not have`);
  const steps = name.split('/').filter((step) => step !== '' && step !== '.');
  if (name.startsWith('/') || /[\\\0]/.test(name) || steps.includes('..'))
    throw new ArchiveProblem(`${JSON.stringify(name)} is outside the archive`);
  const file = path.join(folder, ...steps);
  if (type === 'directory' || steps.length === 0) return body.cancel();
  await mkdir(path.dirname(file), { recursive: true });
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      count(chunk.length);
      yield chunk;
    }
  };
  await pipeline(Readable.from(counted()), createWriteStream(file, { flags: 'wx' }));
}

async function unpack(archive: string, folder: string): Promise<void> {
  const input = createReadStream(archive);
  const { readable, writable } = createTarDecoder({ strict: true });
  let [written, files] = [0, 0];
  const count = (bytes: number): void => {
    written += bytes;
    if (written > UNSUSPICIOUS_BYTES && written > input.bytesRead * HIGHEST_RATIO)
      throw new ArchiveProblem(`it is compressed to less than 1/${String(HIGHEST_RATIO)}`);
  };
  const isPlain = archive.endsWith('.tar');
  const target = Writable.fromWeb(writable as never);
  const fed = isPlain ? pipeline(input, target) : pipeline(input, createGunzip(), target);
  // The failure of the reader is the one to report.
  const failed = fed.catch((error: unknown) => error);
  try {
    for await (const entry of readable as unknown as AsyncIterable<ParsedTarEntry>) {
      files += 1;
      if (files > MAXIMUM_FILES) throw new ArchiveProblem('it has too many files');
      await unpackEntry(entry, folder, count);
    }
    const failure = await failed;
    if (failure !== undefined) throw failure as Error;
  } finally {
    input.destroy();
  }
}

/** A folder, or an archive that was unpacked into one, which `remove` removes. */
export interface ExportFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/** @throws Error with one line for people */
export async function openFolder(name: string): Promise<ExportFolder> {
  const found = await stat(name).catch((error: unknown) => {
    throw new Error(`The file ${name} cannot be read: ${readFailure(error)}.`, { cause: error });
  });
  if (found.isDirectory()) return { folder: name, remove: () => Promise.resolve() };
  const folder = await mkdtemp(path.join(tmpdir(), `headwater-export-${String(process.pid)}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await unpack(name, folder);
    return { folder, remove };
  } catch (error) {
    await remove();
    const reason =
      error instanceof ArchiveProblem ? error.message : 'it is damaged, incomplete or no tar archive';
    throw new Error(`The file ${name} cannot be unpacked: ${reason}.`, { cause: error });
  }
}
