import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linesOf, openPatient, type Patient } from '../support/doctor-patient.js';
import { startReplicated, type ReplicatedServer } from '../support/replication.js';

let server: ReplicatedServer;
let patient: Patient;

beforeAll(async () => {
  server = await startReplicated(1);
  patient = await openPatient(server.databaseUrl);
});

afterAll(async () => {
  await patient.close();
  await server.stop();
});

const standbyUrl = (): string => server.urlOn(...server.standbys.map(({ port }) => port));

const replication = async (more: Readonly<Record<string, string>> = {}): Promise<string> =>
  linesOf(await patient.examine({ DATABASE_READ_URL: standbyUrl(), ...more }), 'replication');

describe('headwater doctor on replicas', () => {
  it('accepts a replica that follows the primary', async () => {
    expect(await replication()).toMatch(/^ok: replication: 127\.0\.0\.1:\d+ follows the primary$/);
  });

  it('warns of a replica that does not replay what the primary wrote', async () => {
    for (const standby of server.standbys) await standby.execute('SELECT pg_wal_replay_pause()');
    await server.execute('CREATE TABLE not_replayed ()');
    const line = await replication();
    for (const standby of server.standbys) await standby.execute('SELECT pg_wal_replay_resume()');
    expect(line).toMatch(
      /^warn: .* lacks \d+ bytes of the log after 3 seconds — look there for a paused replay/,
    );
  });

  it('refuses a replica as DATABASE_URL', async () => {
    expect(await replication({ DATABASE_URL: standbyUrl() })).toBe(
      'fail: replication: DATABASE_URL names a replica — set it to the primary',
    );
  });

  it('refuses a server in DATABASE_READ_URL that is no replica of the primary', async () => {
    const url = new URL(server.databaseUrl);
    url.hostname = 'localhost';
    expect(await replication({ DATABASE_READ_URL: url.href })).toContain(
      `fail: replication: ${url.host} is no replica`,
    );
  });

  it('warns of a replication slot that nothing reads', async () => {
    await server.execute("SELECT pg_create_physical_replication_slot('left_behind', true)");
    expect(await replication()).toContain('warn: replication: nothing reads the slot left_behind');
    await server.execute("SELECT pg_drop_replication_slot('left_behind')");
  });

  it('reports a replica that is stopped', async () => {
    await server.standbys[0]?.stop();
    expect(await replication()).toMatch(/^fail: replication: .*: it cannot be reached/);
    await server.standbys[0]?.start();
  });

  it('reports a missing extension with the statement that provides it', async () => {
    await server.execute('DROP EXTENSION plpgsql');
    const url = new URL(server.databaseUrl);
    url.pathname = '/postgres';
    const reports = await patient.examine({ DATABASE_URL: url.href });
    expect(linesOf(reports, 'extensions')).toBe(
      'fail: extensions: plpgsql is missing — run as a superuser: CREATE EXTENSION plpgsql',
    );
  });
});
