import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';

let app: TestApp;
let scene: Scene;

beforeAll(async () => {
  app = await startTestApp();
  scene = await openScene(app);
});

afterAll(() => app.close());

const creating = restOperations.filter(({ rest }) => rest.success?.status === 201);
/** Readable path templates without parameter names. */
const readable = new Set(
  restOperations
    .filter(({ rest }) => rest.method === 'GET')
    .map(({ rest }) => rest.path.replace(/\{\w+\}/g, '{}')),
);

describe.each(creating)('Location of $name', ({ operation, rest }) => {
  verifies('dec-2.1-201');

  it('is the path of the new item, which returns the same data where it is readable', async () => {
    const key = await rightKey(scene, operation);
    const made = await send(app, { ...restCall(rest, await exampleOf(operation)(scene)), key });
    expect(made.status).toBe(201);
    const location = String(made.headers.location);
    expect(location).toMatch(/^\/api\/v1\/[\w\-/]+$/);
    if (!readable.has(String(rest.success?.location).replace(/\{\w+\}/g, '{}'))) return;
    const read = await send(app, { method: 'GET', path: location, key });
    expect(read.status).toBe(200);
    // A secret is returned only once.
    const { secret: _secret, ...data } = made.body.data as Record<string, unknown>;
    if (Array.isArray(read.body.data)) expect(read.body.data).toContainEqual(data);
    else expect(read.body).toEqual({ ...made.body, data });
  });
});
