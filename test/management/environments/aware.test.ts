import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type Receiver } from '../webhooks/receiver.js';

const rateDefaults = {
  delivery: 6000,
  preview: 1200,
  management: 600,
  session: 600,
  anonymous: 3000,
  login: 10,
};
const app = useOwnApp({ rateDefaults });

let receiver: Receiver;
let desk: Desk;
let slug: string;

beforeAll(async () => {
  receiver = await openReceiver();
  desk = await openDesk(app());
  const made = await desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch' });
  ({ slug } = made.body.data as { slug: string });
  await app().composition.jobs.deliverWebhooks();
});

afterAll(() => receiver.close());

async function writeIn(environment: string): Promise<string> {
  const { siteId } = desk.project;
  const body = { contentTypeApiName: 'article', siteId, fields: { title: environment } };
  return ((await desk.in(environment).post('/entries', body)).body.data as { id: string }).id;
}

describe('What happens in another environment', () => {
  verifies('environments/copy-separate');

  it('is named in its audit records and events, and reaches only webhooks of that environment', async () => {
    for (const [name, environments] of [
      ['main', ['main']],
      ['branch', [slug]],
      ['all', undefined],
    ] as const)
      await createWebhook(app(), desk.project, {
        name,
        url: `${receiver.url}/${name}`,
        events: ['entry.created'],
        ...(environments && { filters: { environments } }),
      });
    const written = { main: await writeIn('main'), [slug]: await writeIn(slug) };
    await app().composition.jobs.deliverWebhooks();
    const received = (name: string) =>
      receiver.calls
        .filter(({ path }) => path.endsWith(`/${name}`))
        .map(({ message }) => [message.environment, (message.data as { entryId: string }).entryId])
        .sort();
    const all = Object.entries(written);
    expect(received('main')).toEqual(all.slice(0, 1));
    expect(received('branch')).toEqual(all.slice(1));
    expect(received('all')).toEqual([...all].sort());
    const records = (await desk.get('/audit-events?action=entry.create')).body.data as {
      environment: string;
      target: { id: string };
    }[];
    expect(new Map(records.map(({ environment, target }) => [environment, target.id]))).toEqual(new Map(all));
  });

  it('counts towards the one rate limit of its key', async () => {
    const { secret } = await desk.newKey({ type: 'management', permissions: [], rateLimit: 3 });
    const own = desk.as(secret);
    for (const environment of ['main', slug, 'main'])
      expect((await own.in(environment).get('/sites')).status).toBe(200);
    for (const environment of [slug, 'main'])
      expect(outcome(await own.in(environment).get('/sites'))).toEqual([429, 'rate_limit_exceeded']);
    const bound = await desk.newKey({ type: 'management', permissions: [], environment: slug, rateLimit: 1 });
    expect((await desk.as(bound.secret).get('/sites')).status).toBe(200);
    expect((await desk.as(bound.secret).get('/sites')).status).toBe(429);
    expect((await desk.in(slug).get('/sites')).status).toBe(200);
  });
});
