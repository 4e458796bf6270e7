import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let mine: Scene;
let theirs: Scene;

beforeAll(async () => {
  mine = await openScene(app());
  theirs = await openScene(app());
});

const MISSING = '0198c0de-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Inputs with one id of the other tenant, each with the same input and an unknown id. */
async function swaps(
  one: (typeof restOperations)[number],
): Promise<{ foreign: Record<string, unknown>; missing: Record<string, unknown> }[]> {
  const [own, other] = [await exampleOf(one.operation)(mine), await exampleOf(one.operation)(theirs)];
  return Object.entries(own)
    .filter(([, value]) => typeof value === 'string' && UUID.test(value))
    .map(([key]) => ({ foreign: { ...own, [key]: other[key] }, missing: { ...own, [key]: MISSING } }));
}

const projectWork = restOperations.filter(({ operation }) =>
  ['management', 'delivery'].includes(operation.meta.audience),
);

describe.each(projectWork)('$name with an id of another tenant', (one) => {
  verifies('limits/isolation', 'http/missing-things');

  it('responds as to an unknown id', async () => {
    for (const { foreign, missing } of await swaps(one)) {
      const key = await rightKey(mine, one.operation);
      const [a, b] = await Promise.all(
        [foreign, missing].map((input) => send(app(), { ...restCall(one.rest, input), key })),
      );
      expect(a?.status).toBe(404);
      expect([a?.status, a?.body]).toEqual([b?.status, b?.body]);
    }
  });
});
