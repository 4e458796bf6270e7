import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { EnvironmentListRepository } from '../../src/features/environments/catalog/index.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { checkEnvironment } from '../../src/cli/rebuild/visit-environment.js';
import { must } from '../support/call.js';
import { difference } from '../support/database-watch.js';
import type { Sender } from '../support/database-proxy.js';
import { bearer, useDistantService } from '../support/distant-service.js';
import { createEntry, publish } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { sampleOf } from '../support/extent.js';

const distant = useDistantService();

/** A change that has the same effect each time. */
interface Mutation {
  /** Makes it possible again, over the direct connection. */
  prepare(): Promise<void>;
  /** Through the proxy. */
  send(): Promise<Response>;
}

async function post(path: string, body: object): Promise<Response> {
  const { request, project } = distant();
  return request.post(`${project.management}${path}`).set(bearer(project.keys.management)).send(body);
}

const newArticle = (title: string) => ({
  contentTypeApiName: 'article',
  siteId: distant().project.siteId,
  fields: { title },
});

/** Published articles, each of which gets a newer draft before the mutation. */
async function publishing(count: number, send: (ids: string[]) => Promise<Response>): Promise<Mutation> {
  const { app, project } = distant();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await createEntry(app, project, newArticle(unique()));
    await publish(app, project, id);
    ids.push(id);
  }
  const prepare = async (): Promise<void> => {
    for (const id of ids) {
      const call = { path: `${project.management}/entries/${id}`, key: project.keys.management };
      const { version } = await must<{ version: number }>(app, { ...call, method: 'GET' });
      await must(app, { ...call, method: 'PUT', body: { version, fields: { title: unique() } } });
    }
  };
  return { prepare, send: () => send(ids) };
}

const mutations: Readonly<Record<string, () => Promise<Mutation>>> = {
  'creating an entry': () =>
    Promise.resolve({ prepare: () => Promise.resolve(), send: () => post('/entries', newArticle(unique())) }),
  'publishing an entry': () => publishing(1, ([id = '']) => post(`/entries/${id}/publish`, {})),
  'publishing two entries in bulk': () =>
    publishing(2, (entryIds) => post('/entries/bulk', { action: 'publish', entryIds })),
};

/** Lines of `rebuild --check` that name a difference. */
async function readModelDifferences(): Promise<readonly string[]> {
  const { units } = distant().app.composition.services;
  const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  const visits = await Promise.all(heads.map((head) => checkEnvironment(units, head)));
  return visits.flatMap(({ isOk, lines }) => (isOk ? [] : lines));
}

/** Messages of one sender in the mutation's transaction. */
async function messagesOf({ prepare, send }: Mutation, sender: Sender): Promise<number> {
  await prepare();
  let count = 0;
  void distant().proxy.cutBefore((message) => {
    if (message.sender === sender) count = Math.max(count, message.index + 1);
    return false;
  });
  expect((await send()).status).toBeLessThan(300);
  distant().proxy.restore();
  return count;
}

describe('A connection to the database that is cut at a message', () => {
  verifies('limits/database-away', 'http/idempotency-unknown-outcome');

  it.each(
    Object.keys(mutations).flatMap((name) =>
      (['service', 'database'] as const).map((sender) => [name, sender] as const),
    ),
  )(
    'leaves all or nothing of %s, at any message of the %s',
    async (name, sender) => {
      const { proxy, watch } = distant();
      const mutation = await mutations[name]?.();
      if (mutation === undefined) throw new Error('there is no such mutation');
      const count = await messagesOf(mutation, sender);
      await mutation.prepare();
      let before = await watch.state();
      await mutation.send();
      const whole = difference(before, await watch.state());
      expect(Object.keys(whole)).toEqual(expect.arrayContaining(['audit_events', 'outbox_events']));
      let isPrepared = false;
      for (const index of sampleOf([...Array(count).keys()], 4)) {
        if (!isPrepared) {
          await mutation.prepare();
          before = await watch.state();
        }
        const ended = proxy.cutBefore((message) => message.sender === sender && message.index === index);
        const { status, body } = await mutation.send();
        await watch.sessionEnd(await ended);
        const change = difference(before, await watch.state());
        expect([index, status, body.error]).toEqual([index, 503, 'service_unavailable']);
        const allowed = body.details?.outcome === 'unknown' ? [{}, whole] : [{}];
        expect([index, allowed]).toEqual([index, expect.arrayContaining([change])]);
        isPrepared = Object.keys(change).length === 0;
      }
      expect(await readModelDifferences()).toEqual([]);
    },
    120_000,
  );
});
