import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventNames } from '../../contracts/change-names.js';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { rowNames, rowOf } from '../resources/index.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(app());
});

/** Event types in the outbox of a request. */
async function eventsOf(requestId: string): Promise<string[]> {
  const rows = await app().rows<{ type: string }>(
    scene.project.tenantId,
    "SELECT type FROM outbox_events WHERE payload ->> 'requestId' = $1",
    [requestId],
  );
  return rows.map(({ type }) => type);
}

const known: ReadonlySet<string> = new Set(eventNames);
const mutations = restOperations.filter(({ operation }) => operation.kind === 'mutation');

describe.each(mutations.filter(({ name }) => !rowOf(name).needsOwnScene))('Event of $name', (one) => {
  verifies('events/names');

  it(`emits ${rowOf(one.name).event ?? 'only documented events'}`, async () => {
    const { operation, rest } = one;
    const call = restCall(rest, await exampleOf(operation)(scene));
    const response = await send(app(), { ...call, key: await rightKey(scene, operation) });
    expect(response.status).toBeLessThan(300);
    const events = await eventsOf(String(response.headers['x-request-id']));
    expect(events.filter((type) => !known.has(type))).toEqual([]);
    const { event: expected } = rowOf(one.name);
    if (expected === undefined) return;
    expect(events).toContain(expected);
    expect(operation.meta.events).toContain(expected);
  });
});

it('only mutations declare an event', () => {
  const names = new Set(mutations.map(({ name }) => name));
  expect(rowNames.filter((name) => rowOf(name).event !== undefined && !names.has(name))).toEqual([]);
});
