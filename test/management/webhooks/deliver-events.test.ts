import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { surrogateKeys } from '../../../src/infrastructure/cache-tags.js';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { must } from '../../support/call.js';
import { createArticleTypes, createEntry, publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type ReceivedCall, type Receiver } from './receiver.js';
import { Desk, useOwnApp } from '../../support/desk.js';
import { blockId, createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';

const app = useOwnApp();
let project: TestProject;
let receiver: Receiver;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
  await app().composition.jobs.deliverWebhooks();
  receiver = await openReceiver();
});

afterAll(async () => {
  await receiver.close();
});

/** Calls that the receiver gets at a separate path during the work. */
async function receivedDuring(path: string, work: () => Promise<unknown>): Promise<ReceivedCall[]> {
  await work();
  await app().composition.jobs.deliverWebhooks();
  return receiver.calls.filter((call) => call.path === path);
}

const article = (title: string) =>
  createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } });

describe('A webhook', () => {
  verifies(
    'events/webhooks',
    'events/delivery-signed',
    'events/body',
    'events/delivery-batches',
    'events/sequence',
  );

  it('sends a published entry in delivery shape, signed by Standard Webhooks', async () => {
    const hook = await createWebhook(app(), project, {
      url: `${receiver.url}/published`,
      events: ['entry.published'],
      headers: [
        { name: 'X-Route', value: 'blue' },
        { name: 'X-Token', value: 'planted-canary', secret: true },
      ],
    });
    const entry = await article('The upper lock');
    const [call, ...more] = await receivedDuring('/hook/published', () => publish(app(), project, entry.id));
    expect(more).toEqual([]);
    const headers = call?.headers as Record<string, string>;
    expect(new StandardWebhook(hook.secret).verify(call?.body ?? '', headers)).toMatchObject({
      type: 'entry.published',
    });
    expect(headers).toMatchObject({ 'x-route': 'blue', 'x-token': 'planted-canary' });
    expect(headers['user-agent']).toMatch(/^Headwater\//);
    expect(headers['x-request-id']).toBeTruthy();
    expect(headers['webhook-id']).toBe(call?.message.id);
    expect(call?.message).toMatchObject({
      project: { slug: project.slug },
      environment: 'main',
      actor: { type: 'api_key' },
      data: {
        entryId: entry.id,
        contentTypeApiName: 'article',
        siteId: project.siteId,
        locale: 'en',
        slug: 'the-upper-lock',
        path: null,
        version: 1,
        status: 'published',
        surrogateKeys: [`entry:${entry.id}`, surrogateKeys.shortEntry(entry.id), 'type:article'],
        entry: { _id: entry.id, _type: 'article', fields: { title: 'The upper lock' } },
      },
    });
    const delivered = await must(app(), {
      method: 'GET',
      path: `${project.delivery}/entries/${entry.id}`,
    });
    expect(call?.message.data.entry).toEqual(delivered);
  });

  it('sends the changed fields of a draft', async () => {
    await createWebhook(app(), project, { url: `${receiver.url}/drafts`, events: ['entry.*'] });
    const entry = await article('Before');
    const calls = await receivedDuring('/hook/drafts', () =>
      must(app(), {
        method: 'PUT',
        path: `${project.management}/entries/${entry.id}`,
        key: project.keys.management,
        body: { version: 1, fields: { title: 'After' } },
      }),
    );
    const updated = calls.find(({ message }) => message.type === 'entry.updated');
    expect(calls.map(({ message }) => message.type).sort()).toEqual(['entry.created', 'entry.updated']);
    expect(updated?.message.data).toMatchObject({
      version: 2,
      changedFields: ['title'],
      entry: { fields: { title: 'After' } },
    });
  });

  it('numbers events, so that later changes of an entry have higher numbers, whatever comes first', async () => {
    await createWebhook(app(), project, { url: `${receiver.url}/numbers`, events: ['entry.*'] });
    const entry = await article('Numbered');
    const calls = await receivedDuring('/hook/numbers', async () => {
      await publish(app(), project, entry.id);
      await new Desk(app(), project).post(`/entries/${entry.id}/unpublish`, {});
      await publish(app(), project, entry.id);
    });
    const inOrder = calls.map(({ message }) => message).sort((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ type }) => type)).toEqual([
      ...['entry.created', 'entry.published', 'entry.unpublished', 'entry.published'],
    ]);
    expect(inOrder.every(({ sequence }) => Number.isSafeInteger(sequence))).toBe(true);
    expect(new Set(inOrder.map(({ sequence }) => sequence)).size).toBe(inOrder.length);
  });

  it('sends blocks of a draft as links, and paths of what changed in them', async () => {
    const desk = new Desk(app(), project);
    await createLeafletTypes(desk);
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'Upper lock' })],
      notes: [section({ title: 'Ferry' })],
    });
    await createWebhook(app(), project, { url: `${receiver.url}/blocks`, events: ['entry.updated'] });
    const [one, note] = [blockId(made), blockId(made, 'notes')];
    const [call, ...more] = await receivedDuring('/hook/blocks', () =>
      desk.put(`/entries/${made.id}`, {
        version: 1,
        fields: { sections: [{ _ref: one, fields: { title: 'Lower lock' } }] },
      }),
    );
    expect(more).toEqual([]);
    expect(call?.message.data).toMatchObject({
      entryId: made.id,
      changedFields: [`sections[${one}].title`],
      entry: {
        fields: {
          title: 'Rivers',
          sections: [{ _ref: one, _type: 'section' }],
          notes: [{ _ref: note, _type: 'section' }],
        },
      },
    });
  });

  it('sends every version as it was, however quickly versions follow', async () => {
    await createWebhook(app(), project, { url: `${receiver.url}/quick`, events: ['entry.updated'] });
    const entry = await article('Version 1');
    const calls = await receivedDuring('/hook/quick', async () => {
      for (let version = 1; version <= 3; version += 1) {
        const body = { version, fields: { title: `Version ${String(version + 1)}` } };
        const path = `${project.management}/entries/${entry.id}`;
        await must(app(), { method: 'PUT', path, key: project.keys.management, body });
      }
    });
    const titles = calls.map(({ message: { data } }) => [
      data.version,
      (data.entry as { fields: { title: string } } | undefined)?.fields.title,
    ]);
    expect(titles.sort()).toEqual([
      [2, 'Version 2'],
      [3, 'Version 3'],
      [4, 'Version 4'],
    ]);
  });

  it('follows the rename of a filtered content type, and counts as a use when the type is deleted', async () => {
    const contentTypes = ['author'];
    await createWebhook(app(), project, { url: `${receiver.url}/renamed`, filters: { contentTypes } });
    const key = project.keys.management;
    const types = `${project.management}/content-types`;
    await must(app(), { method: 'POST', path: `${types}/author/rename`, key, body: { apiName: 'writer' } });
    const [call] = await receivedDuring('/hook/renamed', () =>
      createEntry(app(), project, { contentTypeApiName: 'writer', fields: { name: 'Ada' } }),
    );
    expect(call?.message.data.contentTypeApiName).toBe('writer');
    const report = await must<{ webhookCount: number }>(app(), {
      method: 'GET',
      path: `${types}/writer/delete-check`,
      key,
    });
    expect(report.webhookCount).toBe(1);
  });

  it('sends no entry to a webhook with a thin payload', async () => {
    await createWebhook(app(), project, { url: `${receiver.url}/thin`, events: ['*'], payload: 'thin' });
    const [call] = await receivedDuring('/hook/thin', () => article('Thin'));
    expect(call?.message.type).toBe('entry.created');
    expect(call?.message.data).not.toHaveProperty('entry');
  });

  it('omits an entry above 64 KiB from the payload', async () => {
    await createWebhook(app(), project, { url: `${receiver.url}/large`, events: ['entry.created'] });
    const text = 'x'.repeat(70_000);
    const [call] = await receivedDuring('/hook/large', () =>
      createEntry(app(), project, {
        contentTypeApiName: 'article',
        fields: {
          title: 'Large',
          body: {
            type: 'doc',
            content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
          },
        },
      }),
    );
    expect(call?.message.data).toMatchObject({ slug: 'large' });
    expect(call?.message.data).not.toHaveProperty('entry');
  });

  it('sends the events of a batch window in one call', async () => {
    await createWebhook(app(), project, {
      url: `${receiver.url}/batch`,
      events: ['entry.created'],
      batchWindowSeconds: 3600,
    });
    for (let index = 0; index < 3; index += 1) {
      await article(`Collected ${String(index)}`);
      await app().composition.jobs.deliverWebhooks();
    }
    expect(receiver.calls.filter(({ path }) => path === '/hook/batch')).toEqual([]);
    await app().rows(
      project.tenantId,
      "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 second' WHERE status = 'pending'",
    );
    const [call, ...more] = await receivedDuring('/hook/batch', () => Promise.resolve());
    expect(more).toEqual([]);
    expect(call?.message.type).toBe('webhook.batch');
    const { events } = call?.message.data as { events: { type: string; data: { slug: string } }[] };
    expect(events.map(({ type, data }) => [type, data.slug])).toEqual([
      ['entry.created', 'collected-0'],
      ['entry.created', 'collected-1'],
      ['entry.created', 'collected-2'],
    ]);
  });
});
