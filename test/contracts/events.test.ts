import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookEventNames } from '../../contracts/resources/webhook-event.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/examples.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';

let app: TestApp;
let scene: Scene;

beforeAll(async () => {
  app = await startTestApp();
  scene = await openScene(app);
});

afterAll(() => app.close());

/** What each mutation tells the outside; those that are not named have no event in the list of decisions 2.20. */
const told: Readonly<Record<string, string>> = {
  'entries.create': 'entry.created',
  'entries.update': 'entry.updated',
  'entries.publish': 'entry.published',
  'entries.unpublish': 'entry.unpublished',
  'entries.delete': 'entry.deleted',
  'entries.undelete': 'entry.restored',
  'entries.restore': 'entry.restored',
  'entries.restoreVersion': 'entry.restored',
  'entries.duplicate': 'entry.created',
  'entries.copyLocale': 'entry.updated',
  'entries.bulk': 'entry.published',
  'contentTypes.create': 'content_type.created',
  'contentTypes.update': 'content_type.updated',
  'contentTypes.rename': 'content_type.updated',
  'contentTypes.delete': 'content_type.deleted',
  'fields.create': 'content_type.updated',
  'fields.update': 'content_type.updated',
  'fields.rename': 'content_type.updated',
  'fields.delete': 'content_type.updated',
  'sites.create': 'site.created',
  'sites.update': 'site.updated',
  'sites.delete': 'site.deleted',
  'tree.createNode': 'tree.node_created',
  'tree.updateNode': 'tree.node_updated',
  'tree.moveNode': 'tree.node_moved',
  'tree.deleteNode': 'tree.node_deleted',
  'redirects.create': 'redirect.created',
  'redirects.update': 'redirect.updated',
  'redirects.delete': 'redirect.deleted',
  'redirects.import': 'redirect.imported',
  'apiKeys.create': 'api_key.created',
  'apiKeys.revoke': 'api_key.revoked',
};

/** Types of events that calls with this request id have put into the outbox. */
async function eventsOf(requestId: string): Promise<string[]> {
  const rows = await app.rows<{ type: string }>(
    scene.project.tenantId,
    "SELECT type FROM outbox_events WHERE payload ->> 'requestId' = $1",
    [requestId],
  );
  return rows.map(({ type }) => type);
}

const mutations = restOperations.filter(({ operation }) => operation.kind === 'mutation');

describe.each(mutations.filter(({ name }) => name !== 'tenants.deactivate'))('$name', (one) => {
  verifies('dec-2.20-events');

  it(`tells ${told[one.name] ?? 'nothing that has no name'}`, async () => {
    const { operation, rest } = one;
    const call = restCall(rest, await exampleOf(operation)(scene));
    const response = await send(app, { ...call, key: await rightKey(scene, operation) });
    expect(response.status).toBeLessThan(300);
    const events = await eventsOf(String(response.headers['x-request-id']));
    expect(events.filter((type) => !webhookEventNames.includes(type))).toEqual([]);
    const expected = told[one.name];
    if (expected !== undefined) expect(events).toContain(expected);
  });
});

it('Every operation that is said to tell something exists', () => {
  const names = new Set(mutations.map(({ name }) => name));
  expect(Object.keys(told).filter((name) => !names.has(name))).toEqual([]);
});
