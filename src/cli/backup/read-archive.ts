import { z } from 'zod';
import { intoEmptyDatabase, type RowLoader } from '../../persistence/archive/import-rows.js';
import { currentNames } from '../../persistence/migrations/former-steps.js';
import { migrations } from '../../persistence/migrations/steps/index.js';
import { migrateDown, migrateTo, migrateUp } from '../../persistence/migrations/migrator.js';
import {
  ArchiveReader,
  FileSection,
  FORMAT_VERSION,
  Header,
  READABLE_VERSIONS,
  TableSection,
  Trailer,
  storeFile,
} from './archive-format.js';
import type { MediaStorage } from '../../infrastructure/storage/media-storage.js';

export interface RestoredArchive {
  readonly createdAt: string;
  readonly release: string;
  readonly tables: number;
  readonly rows: number;
  /** Undefined if the backup has none. */
  readonly files: Trailer['files'];
  /** Applied afterwards, because the backup is older than this release. */
  readonly applied: readonly string[];
}

const zlibCodes: ReadonlySet<unknown> = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR_BUFFER_TOO_LARGE']);

function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error('The file is not a backup of headwater, or it is damaged.', { cause: error });
  }
}

async function readHeader(reader: ArchiveReader): Promise<Header> {
  const header = parse(Header, (await reader.line()).text);
  if (!READABLE_VERSIONS.includes(header.version))
    throw new Error(`The backup has format ${header.version}, this release reads ${FORMAT_VERSION}.`);
  const known: readonly string[] = migrations.map(({ name }) => name);
  const ofArchive = currentNames(header.migrations);
  const unknown = ofArchive.filter((name, index) => known[index] !== name);
  if (unknown.length > 0)
    throw new Error(
      `The backup was written by a newer release (${header.release}), whose migrations this one lacks: ${unknown.join(', ')}.`,
    );
  return { ...header, migrations: [...ofArchive] };
}

interface Loaded {
  readonly rows: Record<string, number>;
  files: number;
  /** Keys of files with other bytes than their keys say, which are not stored. */
  readonly damaged: string[];
}

/** Only a backup that ends as it should, with everything that its end names, is restored. */
function assertWhole({ rows, files, damaged }: Loaded, trailer: Trailer, isUnchanged: boolean): void {
  const known = trailer.files?.lacking ?? [];
  const isWhole =
    isUnchanged &&
    Object.entries(trailer.rows).every(([table, count]) => rows[table] === count) &&
    files === (trailer.files?.count ?? 0) &&
    damaged.every((key) => known.includes(key));
  if (!isWhole) throw new Error('The backup is damaged: its hash differs.');
}

interface Targets {
  readonly loader: RowLoader;
  readonly storage: MediaStorage;
}

async function loadSections(reader: ArchiveReader, { loader, storage }: Targets) {
  const loaded: Loaded = { rows: {}, files: 0, damaged: [] };
  for (;;) {
    const { text, hashBefore } = await reader.line();
    const content = parse(z.unknown(), text);
    const table = TableSection.safeParse(content);
    const file = FileSection.safeParse(content);
    if (table.success) {
      loaded.rows[table.data.table] = await loader.load(table.data, reader.rows());
    } else if (file.success) {
      const isStored = await storeFile(storage, file.data, reader.bytes(file.data.size));
      if (!isStored) loaded.damaged.push(file.data.file);
      loaded.files += 1;
    } else {
      const trailer = parse(Trailer, text);
      await reader.assertEnd();
      assertWhole(loaded, trailer, trailer.sha256 === hashBefore);
      for (const [name, state] of Object.entries(trailer.sequences)) await loader.setSequence(name, state);
      return { rows: loaded.rows, files: trailer.files };
    }
  }
}

/** An empty database gets the schema of the backup, whatever schema it has. */
async function prepareSchema(url: string, header: Header): Promise<void> {
  const last = header.migrations.at(-1);
  if (last === undefined) throw new Error('The backup has no schema.');
  await intoEmptyDatabase(url, () => Promise.resolve());
  await migrateDown({ url });
  await migrateTo(last, { url });
}

/**
 * Restores a backup into an empty database and migrates it to this release.
 * @param url the owner's connection string
 * @throws Error, in one line that says what to do; the database is then empty, and files that were stored until then
 * are ones that no row names
 */
export async function restoreArchive(
  url: string,
  file: string,
  storage: MediaStorage,
): Promise<RestoredArchive> {
  const reader = ArchiveReader.open(file);
  try {
    const header = await readHeader(reader);
    await prepareSchema(url, header);
    let loaded: Awaited<ReturnType<typeof loadSections>> = { rows: {}, files: undefined };
    await intoEmptyDatabase(url, async (loader) => {
      loaded = await loadSections(reader, { loader, storage });
    });
    const applied = await migrateUp({ url });
    const counts = Object.values(loaded.rows);
    const rows = counts.reduce((sum, count) => sum + count, 0);
    const { createdAt, release } = header;
    return { createdAt, release, tables: counts.length, rows, files: loaded.files, applied };
  } catch (error) {
    if (!zlibCodes.has((error as NodeJS.ErrnoException).code)) throw error;
    throw new Error('The file is not a backup of headwater, or it is damaged.', { cause: error });
  }
}
