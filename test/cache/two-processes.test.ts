import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import supertest from 'supertest';
import { isWriteMark } from '../../src/infrastructure/cache-tags.js';
import { startBeside, type TestApp } from '../support/app.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';

const app = useApp();
let other: TestApp;
let request: ReturnType<typeof supertest>;

beforeAll(async () => {
  other = await startBeside(app());
  request = supertest(other.baseUrl);
});

afterAll(() => other.close());

const titleAt = async (path: string, key: string): Promise<unknown> => {
  const { body } = await request.get(path).set('Authorization', `Bearer ${key}`);
  return body.data?.fields.title ?? body.error;
};

async function waitUntilEqual<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  while ((await ask()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 5));
}

const isFresh = () => Promise.resolve(other.composition.coherence.isFresh);

async function retitle(desk: Desk, id: string, title: string): Promise<void> {
  const { body } = await desk.get(`/entries/${id}`);
  await desk.put(`/entries/${id}`, { version: body.data.version, fields: { title } });
  await desk.post(`/entries/${id}/publish`, {});
}

async function liveArticle(desk: Desk): Promise<{ id: string; path: string }> {
  const entry = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title: 'Before' },
  });
  await publish(app(), desk.project, entry.id);
  return { id: entry.id, path: `${desk.project.delivery}/entries/${entry.id}` };
}

describe('two processes over one database', () => {
  it('applies publications and revoked keys of one process in the other', async () => {
    const desk = await openDesk(app());
    const { id, path } = await liveArticle(desk);
    const key = await desk.newKey({ type: 'delivery' });
    const ask = () => titleAt(path, key.secret);
    await waitUntilEqual(isFresh, true);
    await waitUntilEqual(ask, 'Before');
    await retitle(desk, id, 'After');
    await waitUntilEqual(ask, 'After');
    await desk.delete(`/api-keys/${key.id}`);
    await waitUntilEqual(ask, 'api_key_revoked');
    expect(await ask()).toBe('api_key_revoked');
  });

  it('names the write in each notification, so that its process does not purge again', async () => {
    const desk = await openDesk(app());
    const listener = new pg.Client({ connectionString: app().databaseUrl });
    await listener.connect();
    const words: string[] = [];
    listener.on('notification', ({ payload = '' }) => words.push(payload.split(' ')[0] ?? ''));
    await listener.query('LISTEN headwater_purge');
    const { id } = await liveArticle(desk);
    await retitle(desk, id, 'After');
    // Its reply follows the notifications of earlier commits.
    await listener.query('SELECT 1');
    await listener.end();
    expect(words.length).toBeGreaterThanOrEqual(2);
    expect(words.filter((word) => !isWriteMark(word))).toEqual([]);
  });

  it('bypasses the caches while notifications are lost, and clears them on reconnection', async () => {
    const desk = await openDesk(app());
    const { id, path } = await liveArticle(desk);
    const ask = () => titleAt(path, desk.project.keys.delivery);
    await waitUntilEqual(isFresh, true);
    await waitUntilEqual(ask, 'Before');
    const { coherence, responseCache } = other.composition;
    await app().rows(
      null,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'headwater_listener' AND datname = current_database()`,
    );
    await waitUntilEqual(() => Promise.resolve((responseCache?.size.answers ?? 0) === 0), true);
    await retitle(desk, id, 'After');
    await waitUntilEqual(ask, 'After');
    await waitUntilEqual(isFresh, true);
    const before = responseCache?.counts.hits ?? 0;
    await waitUntilEqual(
      async () => (await ask()) === 'After' && (responseCache?.counts.hits ?? 0) > before,
      true,
    );
    expect(coherence.isFresh).toBe(true);
  });
});
