import { beforeAll, describe, expect, it } from '@jest/globals';
import { projectResources } from '../../contracts/rights.js';
import { grantResources, TEST_EVENT } from '../../contracts/registry/operation-names.js';
import { eventNames } from '../../contracts/change-names.js';
import { openDesk, outcome, useApp, type Desk } from '../support/desk.js';
import { operations } from '../support/operations.js';
import { verifies } from '../support/verifies.js';

verifies('http/input-vocabulary');

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

describe('The vocabulary of webhooks', () => {
  it('has the events that operations declare, and no others', () => {
    const declared = operations.flatMap(({ meta }) => meta.events ?? []);
    expect([...eventNames].sort()).toEqual([...new Set([...declared, TEST_EVENT])].sort());
  });

  it('excludes events and resources without an operation', async () => {
    const post = (event: string) =>
      desk.post('/webhooks', { name: 'Hook', url: 'https://1.1.1.1/hook', events: [event] });
    for (const event of ['entry.published', 'entry.*', '*']) expect((await post(event)).status).toBe(201);
    for (const event of ['entry.exploded', 'nothing.*', 'nothing.created', 'entry'])
      expect(outcome(await post(event))).toEqual([422, 'validation_failed']);
  });
});

describe('The vocabulary of grants', () => {
  it('has the resources of management operations, and no others', () => {
    const governed = operations
      .filter(({ meta }) => meta.audience === 'management')
      .map(({ meta }) => meta.resource);
    expect([...grantResources].sort()).toEqual([...new Set(governed)].sort());
  });

  it('excludes resources without an operation', async () => {
    const role = (await desk.post('/roles', { name: 'Limited' })).body as { data: { id: string } };
    for (const resource of projectResources) {
      const response = await desk.post(`/roles/${role.data.id}/permissions`, { resource, action: 'read' });
      expect([resource, response.status]).toEqual([resource, grantResources.includes(resource) ? 201 : 422]);
    }
  });
});
