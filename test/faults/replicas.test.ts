import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startOver, type TestApp } from '../support/app.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, publish, type TestEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { startReplicated, type ReplicatedServer, type StandbyServer } from '../support/replication.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

let server: ReplicatedServer;
let app: TestApp;
let project: TestProject;
/** No replica any more. */
let isPromoted = false;

beforeAll(async () => {
  server = await startReplicated(2);
  app = await startReading(...server.standbys);
  project = await createProject(app);
  await createArticleTypes(app, project);
});

afterAll(async () => {
  await app.close();
  await server.stop();
});

afterEach(async () => {
  if (isPromoted) return;
  await Promise.all(server.standbys.map((standby) => standby.execute('SELECT pg_wal_replay_resume()')));
  await waitFor('every replica is used', async () => (await readiness()).status === 'ready');
});

/** A service whose published reads are on replicas. */
function startReading(...standbys: readonly StandbyServer[]): Promise<TestApp> {
  const database = { url: server.databaseUrl, drop: () => Promise.resolve() };
  return startOver(database, { readUrl: server.urlOn(...standbys.map(({ port }) => port)) });
}

interface ReadyState {
  readonly status: string;
  readonly replicas: readonly { replica: number; state: string; lagSeconds: number | null }[];
}

const readiness = async (): Promise<ReadyState> => (await app.request.get('/readyz')).body.data as ReadyState;

const titleAt = async (id: string, query = ''): Promise<unknown> => {
  const { body } = await app.request
    .get(`${project.delivery}/entries/${id}${query}`)
    .set('Authorization', `Bearer ${project.keys.delivery}`);
  return body.data?.fields.title ?? body.error;
};

async function live(title: string): Promise<TestEntry> {
  const entry = await createEntry(app, project, { contentTypeApiName: 'article', fields: { title } });
  await publish(app, project, entry.id);
  return entry;
}

async function retitle(id: string, title: string): Promise<void> {
  const key = project.keys.management;
  const path = `${project.management}/entries/${id}`;
  const { version } = await must<TestEntry>(app, { method: 'GET', path, key });
  await must(app, { method: 'PUT', path, key, body: { version, fields: { title } } });
  await publish(app, project, id);
}

/** How many statements of published reads a kind of server has answered. */
async function served(by: 'replica' | 'primary', reader = app): Promise<number> {
  const { text } = await reader.composition.metrics.render();
  return Number(new RegExp(`headwater_published_reads_total\\{server="${by}"\\} (\\d+)`).exec(text)?.[1]);
}

const stateOf = async (): Promise<readonly string[]> =>
  (await readiness()).replicas.map(({ state }) => state);

let limit = 0;

/** Reads a list that is in no cache. */
async function readAnew(reader = app): Promise<number> {
  limit = (limit % 100) + 1;
  const path = `${project.delivery}/content/article?limit=${String(limit)}&offset=${String(Math.trunc(limit / 7))}`;
  return (await reader.request.get(path).set('Authorization', `Bearer ${project.keys.delivery}`)).status;
}

async function untilReplicaServes(reader = app): Promise<void> {
  const before = await served('replica', reader);
  await waitFor('a replica answers', async () => {
    expect(await readAnew(reader)).toBe(200);
    return (await served('replica', reader)) > before;
  });
}

describe('Published reads on replicas', () => {
  verifies('operation/replicas');

  it('are served by them, and cached', async () => {
    await untilReplicaServes();
    const { id } = await live('Cached');
    await waitFor('notices arrive', () => app.composition.coherence.isFresh);
    expect(await titleAt(id)).toBe('Cached');
    const { hits } = app.composition.responseCache!.counts;
    expect(await titleAt(id)).toBe('Cached');
    expect(app.composition.responseCache!.counts.hits).toBe(hits + 1);
  });

  it('see every write that was acknowledged, while the replicas lag', async () => {
    const { id } = await live('Before');
    await untilReplicaServes();
    await pauseAll();
    await retitle(id, 'After');
    expect(await titleAt(id)).toBe('After');
    const later = await live('Later');
    expect(await titleAt(later.id)).toBe('Later');
    const made = await createProject(app);
    await createArticleTypes(app, made);
    const key = project.keys.management;
    await must(app, {
      method: 'POST',
      path: `${project.management}/entries/${id}/unpublish`,
      key,
      body: {},
    });
    expect(await titleAt(id)).toBe('entry_not_found');
    await waitFor('the lag is seen', async () =>
      (await readiness()).replicas.every(({ lagSeconds }) => Number(lagSeconds) > 1),
    );
    const { text } = await app.composition.metrics.render();
    expect(text).toMatch(/headwater_replica_lag_seconds\{replica="127\.0\.0\.1:\d+"\} [1-9]/);
  });

  it('come back to replicas that have caught up', async () => {
    await pauseAll();
    await live('During the pause');
    await Promise.all(server.standbys.map((standby) => standby.execute('SELECT pg_wal_replay_resume()')));
    await untilReplicaServes();
  });

  it('use the replica that has caught up, beside one that lags', async () => {
    await server.standbys[0]?.execute('SELECT pg_wal_replay_pause()');
    await untilReplicaServes();
    const { id } = await live('On one');
    expect(await titleAt(id)).toBe('On one');
  });

  it('go to the primary while the replicas are down, and management does not notice', async () => {
    const { id } = await live('Kept');
    await Promise.all(server.standbys.map((standby) => standby.stop()));
    expect(await titleAt(id)).toBe('Kept');
    await retitle(id, 'Changed');
    expect(await titleAt(id)).toBe('Changed');
    await waitFor('both are left out', async () => (await stateOf()).every((state) => state === 'away'));
    const answer = await app.request.get('/readyz');
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({ status: 'degraded', degraded: ['replicas'] }),
    ]);
    expect(await titleAt((await live('Without')).id)).toBe('Without');
    await Promise.all(server.standbys.map((standby) => standby.start()));
    await waitFor('both are used', async () => (await stateOf()).every((state) => state === 'ok'));
    await untilReplicaServes();
  });

  it('end soon on a replica that hangs', async () => {
    const [port = 0] = server.standbys.map((standby) => standby.port);
    const { proxy, url } = await DatabaseProxy.open(server.urlOn(port));
    const reader = await startOver(
      { url: server.databaseUrl, drop: () => Promise.resolve() },
      { readUrl: url, media: app.media },
    );
    try {
      const { id } = await live('Hanging');
      const path = `${project.delivery}/entries/${id}`;
      const ask = () => reader.request.get(path).set('Authorization', `Bearer ${project.keys.delivery}`);
      await untilReplicaServes(reader);
      proxy.silence();
      expect(await readAnew(reader)).toBe(200);
      await retitle(id, 'Answered');
      await waitFor(
        'the change has arrived',
        async () => (await ask()).body.data.fields.title === 'Answered',
      );
    } finally {
      proxy.restore();
      await reader.close();
      proxy.close();
    }
  });
});

describe('A replica that was promoted', () => {
  verifies('operation/replicas');

  it('is left out, and is used by processes whose primary it has become', async () => {
    const standby = await promoteLast();
    await waitFor('it is left out', async () => (await stateOf())[1] === 'apart');
    const { id } = await live('Not there');
    expect(await titleAt(id)).toBe('Not there');
    const url = new URL(server.databaseUrl);
    url.port = String(standby.port);
    const alias = new URL(url);
    alias.hostname = 'localhost';
    const after = await startOver(
      { url: url.href, drop: () => Promise.resolve() },
      { readUrl: alias.href, media: app.media },
    );
    try {
      await waitFor('it serves', async () => {
        const path = `${project.delivery}/entries/${id}`;
        const { status } = await after.request
          .get(path)
          .set('Authorization', `Bearer ${project.keys.delivery}`);
        return status === 404;
      });
      await untilReplicaServes(after);
    } finally {
      await after.close();
    }
  });
});

async function pauseAll(): Promise<void> {
  await Promise.all(server.standbys.map((standby) => standby.execute('SELECT pg_wal_replay_pause()')));
}

async function promoteLast(): Promise<StandbyServer> {
  const standby = server.standbys.at(-1);
  if (standby === undefined) throw new Error('There is no replica.');
  isPromoted = true;
  await standby.execute('SELECT pg_promote()');
  return standby;
}
