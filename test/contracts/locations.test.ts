import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(app());
});

const creating = restOperations.filter(({ rest }) => rest.success?.status === 201);
describe.each(creating)('Location of $name', ({ operation, rest }) => {
  verifies('http/status-of-create-and-delete', 'http/location');

  it('is the path of the new item, which GET returns', async () => {
    const key = await rightKey(scene, operation);
    const made = await send(app(), { ...restCall(rest, await exampleOf(operation)(scene)), key });
    expect(made.status).toBe(201);
    const location = String(made.headers.location);
    expect(location).toMatch(/^\/api\/v1\/[\w\-/]+$/);
    const read = await send(app(), { method: 'GET', path: location, key });
    expect(read.status).toBe(200);
    // A secret is returned only once.
    const { secret: _secret, invitationUrl: _url, ...data } = made.body.data as Record<string, unknown>;
    if (Array.isArray(read.body.data)) expect(read.body.data).toContainEqual(data);
    else expect(read.body.data).toEqual(data);
  });
});
