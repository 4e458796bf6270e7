import { beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Environment } from '../../../contracts/environments/environments/environment.js';
import type { PromotionRecord } from '../../../contracts/deployment/promotions/promotion.js';
import { runWaitCommand } from '../../../src/cli/environments/wait-command.js';
import { send } from '../../support/call.js';
import { Desk, outcome, useOwnApp } from '../../support/desk.js';
import { stateOf } from '../../support/environment-state.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, publish } from '../../support/factories/content.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';

let lateness = 0;
const app = useOwnApp({ promotionJobItems: 2, clock: () => new Date(Date.now() + lateness) });
const by = new Caller(app);

let main: TestProject;
let branch: TestProject & { environment: string };
let desk: Desk;
let ids: string[];

beforeEach(async () => {
  let article;
  ({ main, article } = await projectWithArticle(app()));
  const body = { contentTypeApiName: 'article', fields: { title: 'One' } };
  const more = [await createEntry(app(), main, body), await createEntry(app(), main, body)];
  ids = [article.id, ...more.map(({ id }) => id)];
  for (const id of ids) await publish(app(), main, id);
  branch = await branchOf(app(), main);
  for (const id of ids) await by.edit(branch, id, { title: 'Two' });
  for (const id of ids) await publish(app(), branch, id);
  desk = new Desk(app(), main);
});

const promote = (body: object = {}) =>
  desk.post(`/environments/${branch.environment}/promote`, { mode: 'full', publish: true, ...body });

async function started(body: object = {}): Promise<string> {
  const response = await promote(body);
  expect([response.status, response.body]).toEqual([202, { data: expect.anything() }]);
  return (response.body as { data: { promotionId: string } }).data.promotionId;
}

const rollback = (promotionId: string) => desk.post('/environments/main/rollback', { promotionId });

const record = (id: string): Promise<PromotionRecord> =>
  by.call(main, 'GET', `/environments/main/promotions/${id}`);

const environment = (): Promise<Environment> => by.call(main, 'GET', '/environments/main');

const work = () => app().composition.jobs.workOnEnvironments();

const delivered = async (): Promise<string[]> => {
  const path = `${main.delivery}/content/article`;
  const { body } = await send(app(), { method: 'GET', path, key: main.keys.delivery });
  return (body as { data: { fields: { title: string } }[] }).data.map(({ fields }) => fields.title);
};

/** Stops a job at the last entry that it writes, for as long as something runs. */
async function whileHeld(run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [main.tenantId]);
    await client.query('BEGIN');
    const { id } = await environment();
    await client.query('SELECT FROM entries WHERE environment_id = $1 AND id = $2 FOR UPDATE', [id, ids[2]]);
    await run(client);
  } finally {
    await client.end();
  }
}

/** Waits until the job has compared its items. */
async function underWay(): Promise<Environment> {
  for (;;) {
    const now = await environment();
    if (now.progress !== null && now.progress.done > 0) return now;
    await pause(20);
  }
}

/** Ends the connections that wait for the client, as a crash of their process does. */
async function endWaiting(client: pg.Client): Promise<void> {
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  while ((await client.query(sql)).rowCount === 0) await pause(20);
}

describe('A promotion of many items', () => {
  verifies('environments/promotion-jobs');

  it('is a job with progress, and visible all at once', async () => {
    const id = await started({ comment: 'Redesign' });
    expect(await record(id)).toMatchObject({
      status: 'running',
      source: branch.environment,
      target: 'main',
      progress: { done: 0 },
      summary: null,
      error: null,
      comment: 'Redesign',
      appliedAt: null,
      rollbackAvailable: false,
    });
    await whileHeld(async (client) => {
      const job = work();
      expect(await underWay()).toMatchObject({ status: 'promoting', progress: { total: 6 } });
      expect(await delivered()).toEqual(['One', 'One', 'One']);
      await client.query('ROLLBACK');
      await job;
    });
    expect(await delivered()).toEqual(['Two', 'Two', 'Two']);
    expect(await environment()).toMatchObject({ status: 'ready', progress: null });
    expect(await record(id)).toMatchObject({
      status: 'succeeded',
      progress: null,
      summary: { created: 0, updated: 3, deleted: 0, unchanged: 0 },
      appliedAt: expect.any(String),
      rollbackAvailable: true,
    });
    expect(await by.call(main, 'GET', `/environments/${branch.environment}/diff`)).toEqual([]);
    expect(await work()).toBe(0);
  });

  it('is waited for on the command line, which shows its progress', async () => {
    await started();
    const bar = new PassThrough();
    let printed = '';
    const print = (text: string) => void (printed += text);
    const url = `${app().baseUrl}${main.management}`;
    const args = ['--url', url, '--key', main.keys.management, '--environment', 'main'];
    await whileHeld(async (client) => {
      const job = work();
      await underWay();
      const waiting = runWaitCommand(args, { print, progress: bar });
      const [line] = (await once(bar, 'data')) as [Buffer];
      expect(line.toString()).toBe('50 % (3 of 6)\n');
      await client.query('ROLLBACK');
      await job;
      expect(await waiting).toBe(0);
    });
    expect(printed).toBe('main is ready.\n');
  });

  it('starts again after a crash', async () => {
    const id = await started();
    await whileHeld(async (client) => {
      const job = work();
      await endWaiting(client);
      await client.query('ROLLBACK');
      await job;
    });
    expect([await delivered(), (await record(id)).status]).toEqual([['One', 'One', 'One'], 'running']);
    lateness += 60_000;
    await work();
    expect([await delivered(), (await record(id)).status]).toEqual([['Two', 'Two', 'Two'], 'succeeded']);
  });

  it('fails as a whole on a conflict, which its record names', async () => {
    await by.edit(main, ids[0] ?? '', { title: 'Three' });
    const before = await stateOf(app(), main, 'main');
    const id = await started();
    await work();
    const { error, status, rollbackAvailable } = await record(id);
    expect([status, rollbackAvailable]).toEqual(['failed', false]);
    expect(error).toEqual({
      error: 'environment_conflict',
      message: expect.any(String),
      details: { conflicts: [{ kind: 'entry', id: ids[0], name: expect.any(String) }], total: 1 },
    });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
    expect((await environment()).status).toBe('ready');
    expect(outcome(await rollback(id))).toEqual([409, 'promotion_failed']);
    expect((await promote({ conflictStrategy: 'source' })).status).toBe(202);
    await work();
    const listed = await by.call<PromotionRecord[]>(main, 'GET', '/environments/main/promotions');
    expect(listed.map((one) => one.status)).toEqual(['succeeded', 'failed']);
  });

  it('excludes other jobs of its target, and dry runs are refused', async () => {
    expect(outcome(await promote({ dryRun: true }))).toEqual([422, 'limit_reached']);
    const id = await started();
    expect(outcome(await promote())).toEqual([409, 'environment_not_ready']);
    expect(outcome(await rollback(id))).toEqual([409, 'environment_not_ready']);
    await work();
    expect((await record(id)).status).toBe('succeeded');
  });

  it('fails if its source is deleted first, also when another environment takes the slug', async () => {
    const slug = branch.environment;
    const id = await started();
    await desk.delete(`/environments/${slug}`);
    await desk.post('/environments', { slug, name: 'Again', from: null });
    await work();
    const { status, error } = await record(id);
    expect([status, error?.error]).toEqual(['failed', 'environments_unrelated']);
    expect(await delivered()).toEqual(['One', 'One', 'One']);
  });
});

describe('A job of a branch', () => {
  verifies('environments/promotion-jobs');

  it('counts what it created, deleted and left, and is rolled back there', async () => {
    const slug = branch.environment;
    const body = { contentTypeApiName: 'article', fields: { title: 'New' } };
    for (let made = 0; made < 2; made += 1) await createEntry(app(), main, body);
    await by.call(main, 'DELETE', `/entries/${ids[0]}`);
    await by.edit(main, ids[1] ?? '', { title: 'Three' });
    await by.edit(main, ids[2] ?? '', { teaser: 'Three' });
    const input = { mode: 'full', target: slug, conflictStrategy: 'target' };
    const asked = await desk.post('/environments/main/promote', input);
    const { promotionId } = (asked.body as { data: { promotionId: string } }).data;
    await work();
    const path = `/environments/${slug}/promotions/${promotionId}`;
    expect(await by.call(main, 'GET', path)).toMatchObject({
      source: 'main',
      target: slug,
      status: 'succeeded',
      summary: { created: 2, updated: 1, deleted: 0, unchanged: 2 },
    });
    const undone = await desk.post(`/environments/${slug}/rollback`, { promotionId });
    expect([undone.status, undone.body.data]).toMatchObject([202, { source: 'main', target: slug }]);
    await work();
    expect(await by.call(main, 'GET', path)).toMatchObject({ status: 'rolled_back' });
    await desk.post('/environments/main/promote', { ...input, conflictStrategy: 'source' });
    await work();
    const [latest] = await by.call<PromotionRecord[]>(main, 'GET', `/environments/${slug}/promotions`);
    expect(latest?.summary).toEqual({ created: 2, updated: 2, deleted: 1, unchanged: 0 });
  });
});

describe('A rollback of many items', () => {
  verifies('environments/promotion-jobs', 'environments/rollback');

  it('is a job, too', async () => {
    const before = await stateOf(app(), main, 'main');
    const id = await started();
    await work();
    const asked = await rollback(id);
    expect([asked.status, asked.body]).toEqual([
      202,
      {
        data: {
          jobId: id,
          promotionId: id,
          source: branch.environment,
          target: 'main',
          status: 'rolling_back',
        },
      },
    ]);
    expect((await record(id)).status).toBe('rolling_back');
    await work();
    expect(await stateOf(app(), main, 'main')).toEqual(before);
    const { status, rolledBackAt } = await record(id);
    expect([status, rolledBackAt]).toEqual(['rolled_back', expect.any(String)]);
    expect(outcome(await rollback(id))).toEqual([409, 'promotion_rolled_back']);
  });

  it('changes nothing if an item changed since, and can be repeated', async () => {
    const id = await started();
    await work();
    await by.edit(main, ids[0] ?? '', { title: 'Three' });
    expect((await rollback(id)).status).toBe(202);
    await work();
    expect(await record(id)).toMatchObject({
      status: 'succeeded',
      error: { error: 'rollback_conflict', details: { items: [{ kind: 'entry', id: ids[0] }], total: 1 } },
      rollbackAvailable: true,
    });
    expect((await environment()).status).toBe('ready');
    expect((await rollback(id)).status).toBe(202);
  });
});
