import pg from 'pg';
import type { TestApp } from './app.js';
import { waitFor } from './wait-for.js';

/** Counters have a row per slot, which is chosen at random. */
const IGNORED = /_counts$|^schema_(?:lease|migrations)$/;

/** Rows of every table, and what versions and published documents add up to. */
export type DatabaseState = Readonly<Record<string, number>>;

const sums = [
  '(SELECT coalesce(sum(version), 0)::int FROM entries) AS versions',
  '(SELECT coalesce(sum(published_version), 0)::int FROM entry_locales) AS "publishedVersions"',
  `(SELECT count(*)::int FROM published_entries p JOIN entry_locales l USING (environment_id, entry_id, locale)
     WHERE p.fields->>'title' = l.fields->>'title' AND l.published_content_hash = l.content_hash) AS "currentDocuments"`,
];

/** Looks at a database over a separate connection; close it after the test. */
export class DatabaseWatch {
  private constructor(
    private readonly client: pg.Client,
    private readonly stateSql: string,
  ) {}

  static async open({ databaseUrl }: TestApp): Promise<DatabaseWatch> {
    const client = new pg.Client({ connectionString: databaseUrl });
    // A test may end every session of the server.
    client.on('error', () => undefined);
    await client.connect();
    await client.query("SELECT set_config('headwater.platform', 'on', false)");
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    );
    const counts = rows
      .filter(({ name }) => !IGNORED.test(name))
      .map(({ name }) => `(SELECT count(*)::int FROM ${name}) AS ${name}`);
    return new DatabaseWatch(client, `SELECT ${[...counts, ...sums].join(', ')}`);
  }

  /** In one snapshot: changes of one transaction show together. */
  async state(): Promise<DatabaseState> {
    const { rows } = await this.client.query<DatabaseState>(this.stateSql);
    return rows[0] ?? {};
  }

  /** Resolves when this process of the database has ended, and with it its transaction. */
  async sessionEnd(pid: number): Promise<void> {
    const sql = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
    await waitFor(
      'the database ends the session',
      async () => (await this.client.query(sql, [pid])).rowCount === 0,
    );
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}

/** What changed from one state to another. */
export function difference(before: DatabaseState, after: DatabaseState): DatabaseState {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, change]) => change !== 0),
  );
}
