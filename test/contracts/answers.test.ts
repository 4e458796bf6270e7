import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { CallContext } from '../../src/procedures/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, operations, restCall, restOperations, rightKey } from '../support/operations.js';
import { rowOf } from '../resources/index.js';
import { verifies } from '../support/verifies.js';

let app: TestApp;
let scene: Scene;

beforeAll(async () => {
  app = await startTestApp({ dataRegion: 'test-region' });
});

beforeAll(async () => {
  scene = await openScene(app);
});

afterAll(() => app.close());

/** The schema without unknown keys. */
function strictSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const sentId = '0198c0de-0000-7000-8000-00000000abcd';

describe.each(restOperations)('$name over REST', ({ operation, rest }) => {
  verifies(
    'http/envelopes',
    'lists/envelope',
    'http/status-of-create-and-delete',
    'http/request-id',
    'http/data-region-header',
  );

  it('returns the status, headers and body of its contract', async () => {
    // Deactivating the tenant would break the shared scene.
    const own = rowOf(operation.name).needsOwnScene ? await openScene(app) : scene;
    const call = restCall(rest, await exampleOf(operation)(own));
    const key = await rightKey(own, operation);
    const response = await send(app, { ...call, key });
    const expected = rest.startsJob === true ? 202 : (rest.success?.status ?? 200);
    expect([response.status, response.body.error]).toEqual([expected, undefined]);
    const text = rest.textResponse ?? rest.streaming;
    if (text === undefined) {
      expect(strictSchema(operation.output).safeParse(response.body).error).toBeUndefined();
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    } else {
      expect(response.headers['content-type']).toContain(text.mediaType);
    }
    expect(response.headers['x-request-id']).toMatch(UUID);
    expect(response.headers['x-service-data-region']).toBe('test-region');
    if (rest.success === undefined) return;
    expect(response.headers.location).toMatch(/^\/api\/v1\//);
    expect(response.headers.location).not.toContain('{');
  });
});

describe.each(operations.filter(({ meta }) => meta.openapi === undefined))('$name over MCP', (operation) => {
  it('returns the output of its contract', async () => {
    const call = {
      surface: 'mcp',
      authorization: `Bearer ${scene.project.keys.management}`,
      requestId: sentId,
      ip: null,
      userAgent: null,
    } as const;
    const answer = await operation.call(
      new CallContext(app.composition.services, call),
      await exampleOf(operation)(scene),
    );
    expect(strictSchema(operation.output).safeParse(answer).error).toBeUndefined();
  });
});

describe('Every REST response', () => {
  verifies('http/request-id', 'http/unknown-routes-and-methods', 'http/envelopes');

  it("has the caller's request id, or a new one when that is not a UUID", async () => {
    const echoed = await app.request.get('/healthz').set('X-Request-Id', sentId);
    expect(echoed.headers['x-request-id']).toBe(sentId);
    const made = await app.request.get('/no/such/path').set('X-Request-Id', 'not an id');
    expect(made.headers['x-request-id']).toMatch(UUID);
  });

  it('is the failure envelope for an unknown path', async () => {
    const { status, body } = await app.request.get('/api/v1/projects/x/nothing-here');
    expect([status, Object.keys(body), body.error]).toEqual([404, ['error', 'message'], 'not_found']);
  });

  it('is 405 with Allow for a known path with the wrong method', async () => {
    const { status, body, headers } = await app.request.patch(`${scene.project.management}/entries`);
    expect([status, body.error, headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'GET, POST, HEAD, OPTIONS',
    ]);
  });

  it('has no body for HEAD', async () => {
    const { status, text } = await app.request.head(`${scene.project.delivery}/content/article`);
    expect([status, text]).toEqual([200, undefined]);
  });
});
