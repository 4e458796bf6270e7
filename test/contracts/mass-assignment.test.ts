import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { send } from '../support/call.js';
import { issues, outcome, useOwnApp } from '../support/desk.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(app());
});

/** Keys of stored rows with values that a caller may want. */
const storedKeys = {
  id: '0198c0de-0000-7000-8000-000000000000',
  tenantId: '0198c0de-0000-7000-8000-000000000000',
  projectId: '0198c0de-0000-7000-8000-000000000000',
  environmentId: '0198c0de-0000-7000-8000-000000000000',
  projectSlug: 'other',
  createdBy: { type: 'system', id: null, name: 'me' },
  createdAt: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-01-01T00:00:00.000Z',
  deletedAt: null,
  publishedAt: '2020-01-01T00:00:00.000Z',
  version: 99,
  status: 'published',
  secretHash: 'x',
  isSuperAdmin: true,
} as const;

const writing = restOperations.filter(({ rest }) => ['POST', 'PUT', 'PATCH'].includes(rest.method));

/** What the resource of a PUT shows; read-only.test.ts forges these. */
function shownKeys(method: string, path: string): readonly string[] {
  const read = restOperations.find(({ rest }) => rest.method === 'GET' && rest.path === path);
  const data: unknown =
    read?.operation.output instanceof z.ZodObject ? read.operation.output.shape.data : undefined;
  return method === 'PUT' && data instanceof z.ZodObject ? Object.keys(data.shape) : [];
}

describe.each(writing)('$name with keys of the stored row', ({ operation, rest }) => {
  verifies('http/input-unknown-keys', 'http/input-shape');

  it('rejects each key by name and writes nothing', async () => {
    const call = restCall(rest, await exampleOf(operation)(scene));
    const inPath = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const shown = shownKeys(rest.method, rest.path);
    const forged = Object.entries(storedKeys).filter(
      ([key]) => !shown.includes(key) && (inPath.has(key) || !(key in operation.input.shape)),
    );
    const body = { ...(call.body as object), ...Object.fromEntries(forged) };
    const answer = await send(app(), { ...call, body, key: await rightKey(scene, operation) });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    const named = issues(answer).map(([path, code]) => [path, code]);
    const inPathOnly = forged.filter(([key]) => inPath.has(key)).map(([key]) => key);
    // Path keys are rejected before the rest of the body is checked.
    const expected = inPathOnly.length > 0 ? inPathOnly : forged.map(([key]) => key);
    expect(named).toEqual(expect.arrayContaining(expected.map((key) => [key, 'unrecognized_key'])));
  });
});
