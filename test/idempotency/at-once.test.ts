import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openDesk, outcome, useApp } from '../support/desk.js';
import { unique } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { article, entryCount, postOnce } from './desk.js';

const app = useApp();

/** Blocks writers of entries until released. */
async function holdEntries(): Promise<{ client: pg.Client; waiting(): Promise<number[]> }> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE entries IN EXCLUSIVE MODE');
  const waiting = async (): Promise<number[]> => {
    for (;;) {
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      if (rows.length > 0) return rows.map(({ pid }) => pid);
    }
  };
  return { client, waiting };
}

describe('The same request', () => {
  verifies('http/idempotency');

  it.each([2, 5])('applies a POST sent %d times concurrently once', async (times) => {
    const desk = await openDesk(app());
    const key = unique();
    const send = () => postOnce(desk, '/entries', { key, body: article(desk) });
    const answers = await Promise.all(Array.from({ length: times }, send));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => (body as { data: { id: string } }).data.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(outcome(answer)).toEqual([409, 'idempotency_in_progress']);
    expect(await entryCount(desk)).toBe(1);
    expect((await send()).body).toEqual(made[0]?.body);
  });

  it('rejects a repeated POST while the first is in progress, and applies it once if the first is killed', async () => {
    const desk = await openDesk(app());
    const key = unique();
    const send = () => postOnce(desk, '/entries', { key, body: article(desk) });
    const { client, waiting } = await holdEntries();
    const killed = send();
    const [pid] = await waiting();
    expect(outcome(await send())).toEqual([409, 'idempotency_in_progress']);
    await client.query('SELECT pg_terminate_backend($1)', [pid]);
    expect((await killed).status).toBe(503);
    await client.query('ROLLBACK');
    await client.end();
    expect(await entryCount(desk)).toBe(0);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect((await send()).body).toEqual(again.body);
    expect(await entryCount(desk)).toBe(1);
  });
});
