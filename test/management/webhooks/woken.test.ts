import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createArticleTypes, createEntry } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { waitFor } from '../../support/wait-for.js';
import { createWebhook, openReceiver, type Receiver } from './receiver.js';

// No poll but the first: what happens later, events cause.
const webhooks = { allowLoopback: true, pollMilliseconds: 3_600_000 };

let app: TestApp;
let quiet: TestProject;
let heard: TestProject;
let receiver: Receiver;

beforeAll(async () => {
  app = await startTestApp({ webhooks });
  [quiet, heard] = [await createProject(app), await createProject(app)];
  await Promise.all([quiet, heard].map((project) => createArticleTypes(app, project)));
  receiver = await openReceiver();
  await createWebhook(app, heard, { url: receiver.url, events: ['entry.created'] });
  await app.composition.jobs.deliverWebhooks();
  await app.composition.jobs.start();
});

afterAll(async () => {
  await receiver.close();
  await app.close();
});

const write = (project: TestProject, title: string) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields: { title } });

const waiting = async (project: TestProject): Promise<number> =>
  (await app.rows(project.tenantId, 'SELECT id FROM outbox_events')).length;

const looksForDue = (statements: readonly string[]): number =>
  statements.filter((sql) => sql.includes('FROM webhook_deliveries WHERE status')).length;

describe('Events that wake the dispatcher', () => {
  it('leave the outbox without a look for due deliveries when the project has no webhook', async () => {
    const { statements } = await app.recordStatements(async () => {
      for (const title of ['One', 'Two', 'Three']) {
        await write(quiet, title);
        await waitFor('its events left the outbox', async () => (await waiting(quiet)) === 0);
      }
    });
    expect(statements.filter((sql) => sql.includes('FOR UPDATE SKIP LOCKED')).length).toBeGreaterThanOrEqual(
      3,
    );
    expect(looksForDue(statements)).toBeLessThanOrEqual(1);
  });

  it('are delivered at once when the project has a webhook, beside events of other projects', async () => {
    const { statements } = await app.recordStatements(async () => {
      await Promise.all([write(quiet, 'Four'), write(heard, 'Heard'), write(quiet, 'Five')]);
      await waitFor('the webhook was called', () => receiver.calls.length === 1);
    });
    expect(looksForDue(statements)).toBeGreaterThanOrEqual(1);
    expect(receiver.calls.map(({ message }) => message.type)).toEqual(['entry.created']);
  });
});
