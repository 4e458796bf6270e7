import { z } from 'zod';
import { migrations } from '../../persistence/migrations/steps/index.js';
import { migrateDown, migrateTo, migrateUp, currentNames } from '../../persistence/migrations/migrator.js';
import {
  ArchiveReader,
  FileSection,
  FORMAT_VERSION,
  Header,
  READABLE_VERSIONS,
  TableSection,
  Trailer,
  storeFile,
  isUnfinished,
} from './archive-format.js';
import type { MediaStorage } from '../../infrastructure/storage/media-storage.js';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  archivedTables,
  columnList,
  type ArchivedTable,
  type SequenceState,
} from '../../persistence/archive/export-rows.js';
import { settled } from '../../infrastructure/promises.js';

/** The tables of an empty, migrated database in one transaction. */
interface RowLoader {
  /** @returns the number of rows */
  load(table: ArchivedTable, rows: AsyncIterable<Buffer>): Promise<number>;
  setSequence(name: string, state: SequenceState): Promise<void>;
}

const LOCK_NOT_AVAILABLE = '55P03';

async function tableNames(client: pg.Client): Promise<string[]> {
  return (await archivedTables(client)).map(({ table }) => `public.${client.escapeIdentifier(table)}`);
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Rows are loaded as they are: no trigger computes them again, and foreign keys are checked at the end, so that
 * their order does not matter.
 */
async function withoutChecks(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const tables = await tableNames(client);
  const { rows: keys } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conrelid, conname`,
  );
  const { rows: walled } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relforcerowsecurity`,
  );
  for (const table of tables)
    await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER`);
  await assertEmpty(client, tables);
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await work();
  for (const { table, name, definition } of keys)
    await describeFailure(`The rows of ${table} refer to rows that the backup lacks`, () =>
      client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
    );
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  for (const { name } of walled) await client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
}

/** The database's reason, without its code, which would read as a failure of the connection. */
async function describeFailure<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new Error(`${what}: ${error.message}.`, { cause: error });
  }
}

/** @throws Error that names a table with rows */
async function assertEmpty(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount !== 0)
      throw new Error(
        `The database is not empty: ${table} has rows. Restore into a new database, or another HEADWATER_DATA_DIR.`,
      );
  }
}

function loaderOf(client: pg.Client, known: readonly ArchivedTable[]): RowLoader {
  return {
    load: async (table, rows) => {
      const found = known.find(({ table: name }) => name === table.table);
      const isKnown = table.columns.every((column) => found?.columns.includes(column) === true);
      if (!isKnown)
        throw new Error(`The backup has columns of ${table.table} that this release does not know.`);
      const target = client.query(copyFrom(`COPY ${columnList(client, table)} FROM STDIN`));
      await describeFailure(`The rows of ${table.table} cannot be loaded`, () => pipeline(rows, target));
      return target.rowCount;
    },
    setSequence: async (name, { last, isCalled }) => {
      await client.query("SELECT setval(format('public.%I', $1::text)::regclass, $2::bigint, $3)", [
        name,
        last,
        isCalled,
      ]);
    },
  };
}

/**
 * Loads everything or nothing.
 * @param url the owner's connection string
 */
async function intoEmptyDatabase(url: string, load: (loader: RowLoader) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'headwater_restore',
    client_encoding: 'UTF8',
  });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
      SET LOCAL lock_timeout = '5s'; SET LOCAL search_path = public`);
    const known = await archivedTables(client);
    await withoutChecks(client, () => load(loaderOf(client, known)));
    await client.query('COMMIT');
    await settled(client.query('ANALYZE'));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)
      throw new Error('The database is in use: stop the service before a restore.', { cause: error });
    throw error;
  } finally {
    await client.end();
  }
}

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

/** What the reasons of the decompression mean. */
const zlibFailures: ReadonlyMap<string | undefined, string> = new Map([
  ['Z_DATA_ERROR', 'The file is not a backup of headwater, or it is damaged.'],
  ['ERR_BUFFER_TOO_LARGE', 'The file is not a backup of headwater, or it is damaged.'],
  ['Z_BUF_ERROR', 'The backup is incomplete: it ends too early.'],
]);

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
  if (isUnfinished(file))
    throw new Error(`${file} is not finished: its backup was stopped, or still runs. Restore another one.`);
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
    const failure = zlibFailures.get((error as NodeJS.ErrnoException).code);
    if (failure === undefined) throw error;
    throw new Error(failure, { cause: error });
  }
}
