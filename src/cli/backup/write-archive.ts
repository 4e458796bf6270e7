import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { hasErrorCode } from '../../infrastructure/errno.js';
import type { Snapshot } from '../../persistence/archive/export-rows.js';
import { END_OF_ROWS, FORMAT, FORMAT_VERSION, toLine, type Header, type Trailer } from './archive-format.js';

export interface WrittenArchive {
  readonly file: string;
  readonly bytes: number;
  readonly tables: number;
  readonly rows: number;
}

interface ArchiveFacts {
  readonly release: string;
  readonly createdAt: Date;
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

async function* linesOf(snapshot: Snapshot, facts: ArchiveFacts, counts: Record<string, number>) {
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
  for (const section of snapshot.tables) {
    yield hashed(toLine(section));
    const copy = snapshot.copyRows(section);
    for await (const rows of copy.chunks) yield hashed(rows);
    counts[section.table] = copy.rowCount();
    yield hashed(END_OF_ROWS);
  }
  const trailer: Trailer = {
    sequences: await snapshot.sequences(),
    rows: counts,
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
  const draft = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const counts: Record<string, number> = {};
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
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { file, bytes: (await stat(file)).size, tables: snapshot.tables.length, rows };
}
