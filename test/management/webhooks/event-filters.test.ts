import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventNames } from '../../../contracts/change-names.js';
import { matchesWebhook } from '../../../src/features/operations/webhooks/deliver/fan-out.js';
import type { QueuedEvent } from '../../../src/features/operations/webhooks/deliver/outbox.repository.js';
import type { WebhookRow } from '../../../src/features/operations/webhooks/webhook.repository.js';
import { must } from '../../support/call.js';
import { createArticleTypes, createEntry, publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type Receiver } from './receiver.js';
import { useOwnApp } from '../../support/desk.js';

const app = useOwnApp();
let mine: TestProject;
let theirs: TestProject;
let receiver: Receiver;

beforeAll(async () => {
  [mine, theirs] = [await createProject(app()), await createProject(app())];
  for (const project of [mine, theirs]) await createArticleTypes(app(), project);
  await app().composition.jobs.deliverWebhooks();
  receiver = await openReceiver();
});

afterAll(async () => {
  await receiver.close();
});

const event = (type: string, data: object = {}, rest: object = {}): QueuedEvent => ({
  id: 'e',
  type,
  sequence: 1,
  payload: {
    project: { slug: 'demo' },
    environment: 'main',
    actor: { type: 'user', id: null, name: 'Ada' },
    timestamp: '2026-03-01T09:30:00.000Z',
    data: data as Record<string, unknown>,
    ...rest,
  },
});
const hook = (events: string[], filters: object = {}) => ({ events, filters }) as unknown as WebhookRow;

describe('Names and filters', () => {
  verifies('events/webhook-filters');

  const about = { siteId: 's1', contentTypeApiName: 'article', locale: 'en' };

  it.each([
    [['*'], {}, event('media.created'), true],
    [['entry.*'], {}, event('entry.moved'), true],
    [['entry.*'], {}, event('content_type.created'), false],
    [['entry.published'], {}, event('entry.published'), true],
    [['entry.published'], {}, event('entry.updated'), false],
    [['*'], { siteIds: ['s1', 's2'] }, event('entry.updated', about), true],
    [['*'], { siteIds: ['s2'] }, event('entry.updated', about), false],
    [['*'], { siteIds: ['s2'] }, event('redirect.imported', { siteIds: ['s1', 's2'] }), true],
    [['*'], { siteIds: ['s3'] }, event('redirect.imported', { siteIds: ['s1', 's2'] }), false],
    [['*'], { contentTypes: ['page'] }, event('entry.updated', about), false],
    [['*'], { contentTypes: ['article'], locales: ['en'] }, event('entry.updated', about), true],
    [['*'], { contentTypes: ['article'], locales: ['de'] }, event('entry.updated', about), false],
    [['*'], { siteIds: ['s2'], locales: ['de'] }, event('api_key.created', { apiKeyId: 'k' }), true],
    [['*'], { environments: ['staging'] }, event('entry.updated', about), false],
    [['*'], { actorTypes: ['system'] }, event('entry.updated', about), false],
    [['*'], { actorTypes: ['user'] }, event('entry.updated', about), true],
  ])('%j with %j: %o is told: %s', (events, filters, one, expected) => {
    expect(matchesWebhook(hook(events, filters), one)).toBe(expected);
  });

  it('sends events only to webhooks whose names and filters match', async () => {
    const url = (place: string) => `${receiver.url}/${place}`;
    const elsewhere = '0198c0de-0000-7000-8000-000000000000';
    await createWebhook(app(), mine, { url: url('types'), filters: { contentTypes: ['author'] } });
    await createWebhook(app(), mine, { url: url('sites'), filters: { siteIds: [elsewhere] } });
    await createWebhook(app(), mine, { url: url('off'), enabled: false });
    await createWebhook(app(), mine, { url: url('keys'), filters: { actorTypes: ['api_key'] } });
    await createEntry(app(), mine, { contentTypeApiName: 'article', fields: { title: 'Told' } });
    await app().composition.jobs.deliverWebhooks();
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/hook/keys']);
  });
});

describe('Another project', () => {
  verifies('limits/isolation', 'events/webhook-filters');

  it('sends no event of another project', async () => {
    const own = await createWebhook(app(), theirs, { url: `${receiver.url}/theirs` });
    const entry = await createEntry(app(), mine, {
      contentTypeApiName: 'article',
      fields: { title: 'Mine' },
    });
    await publish(app(), mine, entry.id);
    await app().composition.jobs.deliverWebhooks();
    expect(receiver.calls.filter(({ path }) => path === '/hook/theirs')).toEqual([]);
    const path = `${theirs.management}/webhooks/${own.id}/deliveries`;
    expect(await must(app(), { method: 'GET', path, key: theirs.keys.management })).toEqual([]);
  });

  it('sends no event of a deactivated project', async () => {
    const gone = await createProject(app());
    await app().composition.jobs.deliverWebhooks();
    await createWebhook(app(), gone, { url: `${receiver.url}/gone` });
    const body = { slug: 'late', name: 'Late' };
    await must(app(), { method: 'POST', path: `${gone.management}/sites`, key: gone.keys.management, body });
    await app().rows(null, "UPDATE tenants SET status = 'deactivated' WHERE id = $1", [gone.tenantId]);
    await app().composition.jobs.deliverWebhooks();
    expect(receiver.calls.filter(({ path }) => path === '/hook/gone')).toEqual([]);
  });
});

describe('The list of events', () => {
  verifies('events/names');

  it('lists every event name once', () => {
    expect(new Set(eventNames).size).toBe(eventNames.length);
    expect(eventNames).toContain('entry.schedule_failed');
  });
});
