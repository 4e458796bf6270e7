import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { hasErrorCode } from '../../infrastructure/errno.js';
import type { Snapshot } from '../../persistence/archive/export-rows.js';
import type { MediaStorage } from '../../infrastructure/storage/media-storage.js';
import {
  fileSections,
  type FileCounts,
  END_OF_ROWS,
  FORMAT,
  FORMAT_VERSION,
  isUnfinished,
  toLine,
  unfinishedName,
  type Header,
  type Trailer,
} from './archive-format.js';

export interface WrittenArchive {
  readonly file: string;
  readonly bytes: number;
  readonly tables: number;
  readonly rows: number;
  /** Undefined if the files are kept elsewhere. */
  readonly files: FileCounts | undefined;
  /** Files in its folder of backups that were stopped, or still run. */
  readonly unfinished: readonly string[];
}

interface ArchiveFacts {
  readonly release: string;
  readonly createdAt: Date;
  /** Undefined: the files are kept elsewhere. */
  readonly storage: MediaStorage | undefined;
  /** Accept files that are missing or damaged in the storage. */
  readonly isIncomplete: boolean;
}

interface Counts {
  /** Known once the statement after the copy has been answered. */
  readonly rows: Map<string, () => number>;
  readonly files: FileCounts;
}

const isFolder = async (name: string): Promise<boolean> =>
  stat(name).then(
    (found) => found.isDirectory(),
    () => name.endsWith('/'),
  );

/** A folder gets a file that is named by the time. */
async function fileIn(target: string, at: Date): Promise<string> {
  if (!(await isFolder(target))) return path.resolve(target);
  return path.resolve(
    target,
    `headwater-${at
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-')}.backup`,
  );
}

async function assertFree(file: string): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found !== undefined) throw new Error(`${file} exists already: name another file, or delete it.`);
}

const SHOWN_KEYS = 10;

/** @throws Error that names the files */
function assertComplete({ lacking }: FileCounts): void {
  if (lacking.length === 0) return;
  const names = lacking.slice(0, SHOWN_KEYS).join(', ');
  throw new Error(
    `${lacking.length} files are missing or damaged in the storage: ${names}. Restore them, or back up the others with --incomplete.`,
  );
}

async function* sectionsOf(snapshot: Snapshot, { storage, isIncomplete }: ArchiveFacts, counts: Counts) {
  for (const section of snapshot.tables) {
    yield toLine(section);
    const copy = snapshot.copyRows(section);
    for await (const rows of copy.chunks) yield rows;
    counts.rows.set(section.table, copy.rowCount);
    yield END_OF_ROWS;
  }
  if (storage === undefined) return;
  yield* fileSections(storage, snapshot.fileKeys(), counts.files);
  if (!isIncomplete) assertComplete(counts.files);
}

async function* linesOf(snapshot: Snapshot, facts: ArchiveFacts, counts: Counts) {
  const hash = createHash('sha256');
  const hashed = (part: string | Buffer): string | Buffer => {
    hash.update(part);
    return part;
  };
  const header: Header = {
    format: FORMAT,
    version: FORMAT_VERSION,
    release: facts.release,
    createdAt: facts.createdAt.toISOString(),
    migrations: [...snapshot.migrations],
  };
  yield hashed(toLine(header));
  for await (const part of sectionsOf(snapshot, facts, counts)) yield hashed(part);
  const { files: count, bytes, lacking } = counts.files;
  const sequences = await snapshot.sequences();
  const trailer: Trailer = {
    sequences,
    rows: Object.fromEntries([...counts.rows].map(([table, rowCount]) => [table, rowCount()])),
    ...(facts.storage !== undefined && { files: { count, bytes, lacking } }),
    sha256: hash.digest('hex'),
  };
  yield toLine(trailer);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes beside the target and renames, so that a file of this name is complete.
 * @param target a file that does not exist, or a folder
 */
export async function writeArchive(
  target: string,
  snapshot: Snapshot,
  facts: ArchiveFacts,
): Promise<WrittenArchive> {
  const file = await fileIn(target, facts.createdAt);
  await assertFree(file);
  const draft = unfinishedName(file);
  const counts: Counts = { rows: new Map(), files: { files: 0, bytes: 0, lacking: [] } };
  try {
    await pipeline(
      Readable.from(linesOf(snapshot, facts, counts), { objectMode: false }),
      createGzip(),
      createWriteStream(draft, { mode: 0o600, flags: 'wx' }),
    );
    await syncFile(draft);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  const rows = [...counts.rows.values()].reduce((sum, rowCount) => sum + rowCount(), 0);
  const files = facts.storage && counts.files;
  const unfinished = (await readdir(path.dirname(file))).filter(isUnfinished);
  return { file, bytes: (await stat(file)).size, tables: snapshot.tables.length, rows, files, unfinished };
}
