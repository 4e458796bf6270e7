import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Report } from '../../src/cli/doctor/check.js';
import { runDoctor } from '../../src/cli/doctor/run-doctor.js';
import { linesOf, PASSWORD, searchSettings, statesOf, usePatient } from '../support/doctor-patient.js';
import { runCommand } from '../support/service-process.js';

const patient = usePatient();

async function onDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: patient().databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const LIMIT_MS = 20_000;

describe('headwater doctor', () => {
  it('reports one ok line per check of a healthy installation and exits with 0', async () => {
    const { code, output } = await runCommand(patient().databaseUrl, ['doctor'], {
      HEADWATER_DATA_DIR: patient().folder,
      PUBLIC_BASE_URL: 'http://cms.example.com',
    });
    const lines = output.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('ok: '))).toEqual(
      lines.filter((line) => line.includes('of the data directory are free') && line.startsWith('warn: ')),
    );
    for (const name of [
      'settings',
      'database',
      'roles',
      'pooler',
      'extensions',
      'collation',
      'clock',
      'replication',
    ])
      expect(output).toContain(`ok: ${name}: `);
    for (const name of ['queues', 'storage', 'search', 'certificates'])
      expect(output).toContain(`ok: ${name}: `);
    expect(code).toBe(0);
  });

  it('prints JSON that says what failed, and exits with 1', async () => {
    const { code, output } = await runCommand(patient().databaseUrl, ['doctor', '--json'], {
      HEADWATER_DATA_DIR: patient().folder,
      ...searchSettings(patient().refusingUrl),
    });
    const printed = JSON.parse(output) as { ok: boolean; checks: Report[] };
    expect([code, printed.ok]).toEqual([1, false]);
    expect(printed.checks).toContainEqual(
      expect.objectContaining({
        name: 'search',
        state: 'fail',
        advice: expect.stringContaining('OPENSEARCH_URL'),
      }),
    );
    expect(output).not.toContain(PASSWORD);
  });

  it('refuses a time limit that is no whole number of seconds', async () => {
    const { code, output } = await runCommand(patient().databaseUrl, ['doctor', '--timeout', '0.5']);
    expect([code, output]).toEqual([1, expect.stringContaining('--timeout must be a whole number')]);
  });

  it('names wrong settings and checks the others', async () => {
    const reports = await patient().examine({
      RATE_LIMIT_LOGIN: 'many',
      PREVIEW_TOKEN_SECRET: 'short-secret',
    });
    expect(linesOf(reports, 'settings')).toMatch(
      /fail: .*RATE_LIMIT_LOGIN must be.*|fail: .*PREVIEW_TOKEN_SECRET/,
    );
    expect(linesOf(reports, 'settings')).not.toContain('short-secret');
    expect(statesOf(reports, 'roles')).toEqual(['ok', 'ok']);
    expect(statesOf(reports, 'storage')).toContain('ok');
  });

  it('opens no other database while DATABASE_URL is wrong', async () => {
    const reports = await patient().examine({ DATABASE_URL: 'mysql://root@localhost/cms' });
    expect(linesOf(reports, 'settings')).toContain('DATABASE_URL');
    expect(reports.filter(({ name }) => name === 'database')).toEqual([]);
    expect(statesOf(reports, 'search')).toEqual(['ok']);
  });

  it('says that the password of the database is wrong without printing it', async () => {
    const url = new URL(patient().databaseUrl);
    url.password = PASSWORD;
    const reports = await patient().examine({ DATABASE_URL: url.href });
    const line = linesOf(reports, 'database');
    expect(line).toContain('the password is wrong; roles, extensions');
    expect(line).toContain('check DATABASE_URL');
    expect(JSON.stringify(reports)).not.toContain(PASSWORD);
    expect(statesOf(reports, 'storage')).toContain('ok');
  });

  it('says which login may not take its role', async () => {
    const url = new URL(patient().databaseUrl);
    url.password = PASSWORD;
    const reports = await patient().examine({
      DATABASE_SERVICE_URL: patient().databaseUrl,
      DATABASE_READ_URL: url.href,
    });
    expect(linesOf(reports, 'roles')).toMatch(
      /ok: roles: DATABASE_SERVICE_URL .*\nfail: roles: DATABASE_READ_URL: the password/,
    );
  });

  it('reports a database that hangs within the time limit', async () => {
    const reports = await patient().examine(
      { DATABASE_URL: `postgres://cms:${PASSWORD}@127.0.0.1:${String(patient().hung.port)}/cms` },
      1500,
    );
    expect(linesOf(reports, 'database')).toContain('no result within 1.5 seconds');
    expect(statesOf(reports, 'search')).toEqual(['ok']);
  });

  it.each([
    [1, 'ok'],
    [10, 'warn'],
    [600, 'fail'],
    [-600, 'fail'],
  ])('judges a clock that is %d seconds ahead as %s', async (seconds, state) => {
    const clock = () => new Date(Date.now() + seconds * 1000);
    const reports = await runDoctor({ env: patient().settings(), limitMs: LIMIT_MS, clock });
    expect(statesOf(reports, 'clock')).toEqual([state]);
  });

  it('reports a queue that stands still', async () => {
    const ago = async (interval: string): Promise<string> => {
      await onDatabase(async (client) => {
        await client.query(
          `BEGIN; SET LOCAL ROLE headwater_service; SELECT set_config('headwater.platform', 'on', true)`,
        );
        await client.query('DELETE FROM edge_purges');
        await client.query(
          `INSERT INTO edge_purges (tags, due_at) VALUES ('{project:demo}', now() - $1::interval)`,
          [interval],
        );
        await client.query('COMMIT');
      });
      return linesOf(await patient().examine(), 'queues');
    };
    expect(await ago('10 seconds')).toMatch(/^ok: /);
    expect(await ago('2 minutes')).toMatch(
      /^warn: queues: the oldest work of the queue edge has waited 12\d seconds/,
    );
    expect(await ago('1 hour')).toMatch(/^fail: .*HEADWATER_ROLE=worker/);
  });

  it('reports pending migrations', async () => {
    const [{ name = '' } = {}] = await onDatabase(async (client) => {
      const newest = 'SELECT max(name) FROM schema_migrations';
      return (
        await client.query<{ name: string }>(
          `DELETE FROM schema_migrations WHERE name = (${newest}) RETURNING name`,
        )
      ).rows;
    });
    const line = linesOf(await patient().examine(), 'database');
    await onDatabase((client) => client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]));
    expect(line).toContain('fail: database: 1 migrations are pending — run npm run migrate');
  });

  it('reports a missing grant with the statement that provides it', async () => {
    await onDatabase((client) => client.query('REVOKE SELECT ON published_entries FROM headwater_reader'));
    const line = linesOf(await patient().examine(), 'roles');
    await onDatabase((client) => client.query('GRANT SELECT ON published_entries TO headwater_reader'));
    expect(line).toMatch(/^fail: roles: .*published_entries/);
  });
});
