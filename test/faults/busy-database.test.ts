import { describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { ReadPool } from '../../src/persistence/connections/read-pool.js';
import { SilenceBoundClient, defaultTimeouts } from '../../src/persistence/connections/session-settings.js';
import { WritePool } from '../../src/persistence/connections/write-pool.js';
import { WorkConnection } from '../../src/persistence/connections/work-connection.js';
import { toDatabaseFailure } from '../../src/persistence/work/unit-of-work.js';
import { useOwnApp, openDesk } from '../support/desk.js';
import { createEntry } from '../support/factories/content.js';
import { send } from '../support/call.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp({ poolSize: 2, queueSize: 4, timeouts: defaultTimeouts });

/** Holds a row as another session would that has come to a stop, until `release`. */
async function hold(sql: string, values: unknown[]): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [values[0]]);
  await client.query('BEGIN');
  await client.query(sql, values.slice(1));
  return {
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

describe('While the database is busy', () => {
  verifies('limits/statement-timeouts', 'limits/bounded-queues');

  const settings = `SELECT name || '=' || setting AS line FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`;
  const bounds = ['idle_in_transaction_session_timeout=10000', 'lock_timeout=2000', 'statement_timeout=5000'];
  const onError = () => undefined;

  it('sets statement, lock and idle timeouts on every connection', async () => {
    const url = app().databaseUrl;
    const writePool = new WritePool({ url, poolSize: 1, onError });
    const pools = (['headwater_service', 'headwater_reader'] as const).map(
      (role) => new ReadPool({ url, role, size: 1, onError }),
    );
    try {
      const [written] = await writePool.sequelize.query(settings);
      expect((written as { line: string }[]).map(({ line }) => line)).toEqual(bounds);
      for (const pool of pools) {
        const rows = await pool.run<{ line: string }>({ text: settings }, []);
        expect(rows.map(({ line }) => line)).toEqual(bounds);
      }
    } finally {
      await Promise.all([writePool.close(), ...pools.map((pool) => pool.close())]);
    }
  });

  it('refuses statements beyond the queue of the read pool and of the write pool', async () => {
    const url = app().databaseUrl;
    const pool = new ReadPool({ url, role: 'headwater_reader', size: 1, queueSize: 2, onError });
    const writePool = new WritePool({ url, poolSize: 1, queueSize: 2, onError });
    const slow = 'SELECT pg_sleep(0.2)';
    try {
      const asks: (() => Promise<unknown>)[] = [
        () => pool.run({ text: slow }, []),
        () =>
          WorkConnection.transact(writePool, 'BEGIN', async (connection) => {
            await connection.run(slow);
            await connection.commit({ isReadOnly: false });
          }),
      ];
      for (const ask of asks) {
        const ends = await Promise.allSettled(Array.from({ length: 10 }, ask));
        const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
        expect(refused.length).toBeGreaterThanOrEqual(6);
        for (const reason of refused) expect(toDatabaseFailure(reason)?.kind).toBe('unavailable');
        // Room again.
        await ask();
      }
      expect(pool.state).toEqual({ open: 1, busy: 0, waiting: 0 });
      expect(writePool.state).toEqual({ open: 1, busy: 0, waiting: 0 });
    } finally {
      await Promise.all([writePool.close(), pool.close()]);
    }
  });

  it('closes a silent connection of the read pool while it is in use, not while it is idle', async () => {
    const limits = jest.spyOn(SilenceBoundClient.prototype, 'limitSilence');
    const pool = new ReadPool({ url: app().databaseUrl, role: 'headwater_reader', size: 1, onError });
    const session = async () =>
      (await pool.run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' }, []))[0]?.pid;
    try {
      const first = await session();
      const [client] = limits.mock.contexts as SilenceBoundClient[];
      const fallSilent = () => client?.connection.stream.emit('timeout');
      fallSilent();
      expect(await session()).toBe(first);
      const failed = expect(pool.run({ text: 'SELECT pg_sleep(60)' }, [])).rejects.toMatchObject({
        kind: 'unavailable',
      });
      await waitFor('the connection is in use', () => pool.state.busy === 1);
      fallSilent();
      await failed;
      expect(await session()).not.toBe(first);
    } finally {
      limits.mockRestore();
      await pool.close();
    }
  });

  it('closes a connection that is silent for longer than a statement may take, unless the transaction allows it', async () => {
    const timeouts = { connectionMs: 30_000, statementMs: 1000, lockMs: 1000, idleMs: 30_000 };
    const pool = new WritePool({ url: app().databaseUrl, poolSize: 1, timeouts, onError });
    const sleepFor3 = (seconds?: number) =>
      WorkConnection.transact(pool, 'BEGIN', async (connection) => {
        if (seconds !== undefined) await connection.allowTime(seconds);
        await connection.run('SELECT pg_sleep(3)');
        await connection.commit({ isReadOnly: true });
        return 'done';
      });
    try {
      expect(await sleepFor3(60)).toBe('done');
      // The next transaction has the usual limits.
      await expect(sleepFor3()).rejects.toBeDefined();
    } finally {
      await pool.close();
    }
  });

  it('returns 503 to a write that waits for a locked row, and to writers beyond the queue', async () => {
    const { project } = await openDesk(app());
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Held' },
    });
    const held = await hold('SELECT 1 FROM entries WHERE id = $1 FOR UPDATE', [project.tenantId, id]);
    try {
      const write = () =>
        send(app(), {
          method: 'PUT',
          path: `${project.management}/entries/${id}`,
          key: project.keys.management,
          body: { version: 1, fields: { title: 'Mine' } },
        });
      const answers = await Promise.all(Array.from({ length: 20 }, write));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      for (const { body, headers, text } of answers) {
        expect(body.error).toBe('service_unavailable');
        expect(headers['retry-after']).toMatch(/^[1-9]/);
        expect(text).not.toMatch(/lock|timeout|SELECT|entries/);
      }
    } finally {
      await held.release();
    }
    const after = await send(app(), {
      method: 'PUT',
      path: `${project.management}/entries/${id}`,
      key: project.keys.management,
      body: { version: 1, fields: { title: 'Mine' } },
    });
    expect(after.status).toBe(200);
  });
});
