import { afterEach, describe, expect, it } from '@jest/globals';
import type { StartWait } from '../../src/infrastructure/readiness.js';
import { migrateUp, pendingMigrations } from '../../src/persistence/migrations/migrator.js';
import { useOwnApp } from '../support/desk.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { runCommand } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp();
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Quick bounds, and what was logged. */
function quickWait(limitMs = 400): StartWait & { readonly notices: string[] } {
  const notices: string[] = [];
  return { noticeMs: 50, limitMs, notices, onWait: (waitingFor) => void notices.push(waitingFor) };
}

/** A slow machine also logs that it waits for the connection. */
function noticesOfLock(wait: ReturnType<typeof quickWait>): string[] {
  return wait.notices.filter((notice) => notice.startsWith('the migration lock'));
}

async function distantDatabase(): Promise<{ proxy: DatabaseProxy; url: string; port: string }> {
  const opened = await DatabaseProxy.open(app().databaseUrl);
  closing.push(() => {
    opened.proxy.close();
  });
  return { ...opened, port: new URL(opened.url).port };
}

const HOLDER = 'process 4711 on another.example';

/** Holds the migration lock, as another process that migrates. */
async function holdLock(): Promise<void> {
  closing.push(releaseLock);
  await app().rows(
    null,
    "UPDATE schema_lease SET owner = gen_random_uuid(), holder = $1, until = now() + interval '1 h'",
    [HOLDER],
  );
}

async function releaseLock(): Promise<void> {
  await app().rows(null, "UPDATE schema_lease SET owner = NULL, until = '-infinity'");
}

describe('A start that cannot reach its database', () => {
  verifies('operation/bounded-start');

  it.each([
    ['migrates', migrateUp],
    ['checks the migrations', pendingMigrations],
  ])('that %s logs once what it waits for, and gives up at the limit', async (_name, start) => {
    const { proxy, url, port } = await distantDatabase();
    proxy.silence();
    const wait = quickWait();
    await expect(start({ url, wait })).rejects.toThrow(
      `The start gave up after 0.4 s of waiting for the database at 127.0.0.1:${port} (DATABASE_START_TIMEOUT_SECONDS).`,
    );
    expect(wait.notices).toEqual([`the database at 127.0.0.1:${port}`]);
  });

  it('gives up when the database falls silent while it waits for the migration lock', async () => {
    await holdLock();
    const { proxy, url } = await distantDatabase();
    const wait = quickWait(5000);
    const start = migrateUp({ url, wait });
    const failure = expect(start).rejects.toThrow(
      /^The start gave up after 5 s of waiting for the migration lock/,
    );
    await waitFor('it waits for the lock', () => noticesOfLock(wait).length > 0);
    proxy.silence();
    await failure;
    expect(noticesOfLock(wait)).toEqual([`the migration lock, which ${HOLDER} holds`]);
  });

  it('proceeds without a notice when nothing is in its way', async () => {
    const wait = { ...quickWait(60_000), noticeMs: 60_000 };
    expect(await migrateUp({ url: app().databaseUrl, wait })).toEqual([]);
    expect(wait.notices).toEqual([]);
  });
});

describe('A start while another process migrates', () => {
  verifies('operation/bounded-start');

  it('names the holder of the migration lock, and gives up at the limit', async () => {
    await holdLock();
    const wait = quickWait(3000);
    await expect(migrateUp({ url: app().databaseUrl, wait })).rejects.toThrow(
      `The start gave up after 3 s of waiting for the migration lock, which ${HOLDER} holds`,
    );
    expect(noticesOfLock(wait)).toHaveLength(1);
  });

  it('continues when the other process has released the lock', async () => {
    await holdLock();
    const wait = quickWait(60_000);
    const start = migrateUp({ url: app().databaseUrl, wait });
    await waitFor('it waits for the lock', () => noticesOfLock(wait).length > 0);
    await releaseLock();
    expect(await start).toEqual([]);
  });

  it('reports the lock although the database itself took long to answer first', async () => {
    await holdLock();
    const { proxy, url, port } = await distantDatabase();
    const wait = quickWait(60_000);
    proxy.slow({ latencyMs: 50 });
    const start = migrateUp({ url, wait });
    await waitFor('it waits for the lock', () => noticesOfLock(wait).length > 0);
    expect(wait.notices[0]).toBe(`the database at 127.0.0.1:${port}`);
    await releaseLock();
    expect(await start).toEqual([]);
  });

  it('ends a command with one line that names the setting', async () => {
    await holdLock();
    const { code, output } = await runCommand(app().databaseUrl, ['migrate'], {
      DATABASE_START_TIMEOUT_SECONDS: '1',
    });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^headwater: The start gave up after 1 s of waiting for the migration lock, which process 4711 on another\.example holds \(DATABASE_START_TIMEOUT_SECONDS\)\.$/,
    );
  });
});
