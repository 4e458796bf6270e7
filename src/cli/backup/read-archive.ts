import { z } from 'zod';
import { intoEmptyDatabase, type RowLoader } from '../../persistence/archive/import-rows.js';
import { migrations } from '../../persistence/migrations/steps/index.js';
import { migrateDown, migrateTo, migrateUp } from '../../persistence/migrations/migrator.js';
import { ArchiveReader } from './archive-reader.js';
import { FORMAT_VERSION, Header, TableSection, Trailer } from './archive-format.js';

export interface RestoredArchive {
  readonly createdAt: string;
  readonly release: string;
  readonly tables: number;
  readonly rows: number;
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
  if (header.version !== FORMAT_VERSION)
    throw new Error(`The backup has format ${header.version}, this release reads ${FORMAT_VERSION}.`);
  const known: readonly string[] = migrations.map(({ name }) => name);
  const unknown = header.migrations.filter((name, index) => known[index] !== name);
  if (unknown.length > 0)
    throw new Error(
      `The backup was written by a newer release (${header.release}), whose migrations this one lacks: ${unknown.join(', ')}.`,
    );
  return header;
}

/** @returns the number of rows by table */
async function loadSections(reader: ArchiveReader, loader: RowLoader): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (;;) {
    const { text, hashBefore } = await reader.line();
    const section = TableSection.safeParse(parse(z.unknown(), text));
    if (section.success) {
      counts[section.data.table] = await loader.load(section.data, reader.rows());
      continue;
    }
    const trailer = parse(Trailer, text);
    await reader.assertEnd();
    const isWhole = Object.entries(trailer.rows).every(([table, rows]) => counts[table] === rows);
    if (!isWhole || trailer.sha256 !== hashBefore)
      throw new Error('The backup is damaged: its hash differs.');
    for (const [name, state] of Object.entries(trailer.sequences)) await loader.setSequence(name, state);
    return counts;
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
 * @throws Error, in one line that says what to do; the database is then empty
 */
export async function restoreArchive(url: string, file: string): Promise<RestoredArchive> {
  const reader = ArchiveReader.open(file);
  try {
    const header = await readHeader(reader);
    await prepareSchema(url, header);
    let counts: Record<string, number> = {};
    await intoEmptyDatabase(url, async (loader) => {
      counts = await loadSections(reader, loader);
    });
    const applied = await migrateUp({ url });
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const { createdAt, release } = header;
    return { createdAt, release, tables: Object.keys(counts).length, rows, applied };
  } catch (error) {
    if (!zlibCodes.has((error as NodeJS.ErrnoException).code)) throw error;
    throw new Error('The file is not a backup of headwater, or it is damaged.', { cause: error });
  }
}
