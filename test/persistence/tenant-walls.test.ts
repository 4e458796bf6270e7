import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let mine: TestProject;
let theirs: TestProject;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([createProject(app()), createProject(app())]);
  for (const project of [mine, theirs]) {
    await createArticleTypes(app(), project);
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    await publish(app(), project, id);
  }
});

/** Runs statements as a database role and rolls them back. */
async function as<T>(
  role: string,
  tenantId: string | null,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  try {
    await client.query(`SET ROLE ${role}`);
    await client.query('BEGIN');
    if (tenantId !== null)
      await client.query("SELECT set_config('headwater.tenant_id', $1, true)", [tenantId]);
    return await work(client);
  } finally {
    await client.end();
  }
}

const walled = [
  'tenants',
  'locales',
  'projects',
  'environments',
  'users',
  'sites',
  'content_types',
  'fields',
  'entries',
  'entry_locales',
  'entry_versions',
  'entry_links',
  'unique_values',
  'api_keys',
  'audit_events',
  'outbox_events',
];

describe('Row-level security', () => {
  verifies('limits/isolation');

  it('enables and forces row-level security on every table with a tenant', async () => {
    const rows = await app().rows<{ name: string; forced: boolean }>(
      null,
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'environment_heads'`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ forced }) => !forced)).toEqual([]);
  });

  it.each(walled)('returns no row of %s without a tenant', async (table) => {
    const count = await as(
      'headwater_service',
      null,
      async (client) => (await client.query(`SELECT 1 FROM ${table}`)).rowCount,
    );
    expect(count).toBe(0);
  });

  it.each(
    walled.filter(
      (table) => !['users', 'outbox_events', 'unique_values', 'entry_links', 'tenants'].includes(table),
    ),
  )('returns rows of %s of one tenant only', async (table) => {
    const tenants = await as('headwater_service', mine.tenantId, async (client) => {
      const { rows } = await client.query<{ tenant_id: string }>(`SELECT DISTINCT tenant_id FROM ${table}`);
      return rows.map((row) => row.tenant_id);
    });
    expect(tenants).toEqual([mine.tenantId]);
  });

  it('rejects inserting a row of another tenant', async () => {
    const insert = as('headwater_service', mine.tenantId, (client) =>
      client.query("INSERT INTO locales (tenant_id, code, name, position) VALUES ($1, 'xx', 'X', 9)", [
        theirs.tenantId,
      ]),
    );
    await expect(insert).rejects.toMatchObject({ code: '42501' });
  });

  it('does not update or delete rows of another tenant', async () => {
    const changed = await as(
      'headwater_service',
      mine.tenantId,
      async (client) =>
        (await client.query('UPDATE sites SET name = $1 WHERE tenant_id = $2', ['stolen', theirs.tenantId]))
          .rowCount,
    );
    expect(changed).toBe(0);
  });

  it('resets the tenant at the end of the transaction', async () => {
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    await client.query('SET ROLE headwater_service');
    await client.query('BEGIN');
    await client.query("SELECT set_config('headwater.tenant_id', $1, true)", [mine.tenantId]);
    await client.query('COMMIT');
    expect((await client.query('SELECT 1 FROM sites')).rowCount).toBe(0);
    await client.end();
  });
});

describe('The roles', () => {
  verifies('limits/isolation', 'events/audit-append-only', 'access/key-secrets');

  it('limits the reader role to the read model', async () => {
    const { rows } = await as('headwater_reader', null, (client) =>
      client.query<{ table: string }>(
        `SELECT relname AS table FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND has_table_privilege('headwater_reader', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') ORDER BY 1`,
      ),
    );
    expect(rows.map(({ table }) => table)).toEqual([
      'environment_heads',
      'filter_documents',
      'filter_keys',
      'filter_notes',
      'owned_blocks',
      'published_counts',
      'published_entries',
      'routes',
      'sync_changes',
    ]);
    const write = as('headwater_reader', null, (client) => client.query('DELETE FROM published_entries'));
    await expect(write).rejects.toMatchObject({ code: '42501' });
  });

  it.each(['UPDATE audit_events SET action = action', 'DELETE FROM audit_events', 'TRUNCATE audit_events'])(
    'lets no role run %s, the owner included',
    async (sql) => {
      const asService = as('headwater_service', mine.tenantId, (client) => client.query(sql));
      await expect(asService).rejects.toMatchObject({ code: '42501' });
      await expect(app().rows(mine.tenantId, sql)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('finds a key by its hash and no other key', async () => {
    const keys = await as('headwater_service', null, (client) =>
      client.query("SELECT * FROM find_api_key('\\x00'::bytea)"),
    );
    expect(keys.rowCount).toBe(0);
    const [row] = await app().rows<{ hash: Buffer }>(
      mine.tenantId,
      'SELECT secret_hash AS hash FROM api_keys LIMIT 1',
    );
    const found = await as('headwater_service', null, (client) =>
      client.query('SELECT id FROM find_api_key($1)', [row?.hash]),
    );
    expect(found.rowCount).toBe(1);
    expect(row?.hash).toHaveLength(32);
  });
});
