import { beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../contracts/limits.js';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { restCall, restOperations, rightKey, sharedExamples } from '../support/operations.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(app());
});

/** All calls are refused or read only. */
const exampleOf = sharedExamples();
const writing = restOperations.filter(({ rest }) => ['POST', 'PUT', 'PATCH'].includes(rest.method));
type Case = (typeof restOperations)[number];

/** Sends raw bytes as the body of an otherwise valid call. */
async function sendRaw({ operation, rest }: Case, body: string | Buffer, contentType = 'application/json') {
  const call = restCall(rest, await exampleOf(operation)(scene));
  const key = await rightKey(scene, operation);
  let request = app()
    .request[rest.method.toLowerCase() as 'post' | 'put' | 'patch'](call.path)
    .set('Content-Type', contentType);
  if (key !== undefined) request = request.set('Authorization', `Bearer ${key}`);
  return request.serialize((value: unknown) => value as string).send(body as unknown as string);
}

async function sendBody(one: Case, change: (body: Record<string, unknown>) => unknown) {
  const call = restCall(one.rest, await exampleOf(one.operation)(scene));
  const body = change({ ...(call.body as Record<string, unknown>) });
  return send(app(), { ...call, body, key: await rightKey(scene, one.operation) });
}

const outcome = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];
const issuesOf = ({ body }: { body: { details?: { issues: { path: unknown[]; code: string }[] } } }) =>
  body.details?.issues ?? [];

describe.each(writing)('Input of $name', (one) => {
  verifies(
    'http/input-refused',
    'http/input-unknown-keys',
    'http/input-shape',
    'limits/input-unaltered',
    'http/envelopes',
  );

  it('returns 400 for a body that is not JSON', async () => {
    expect(outcome(await sendRaw(one, '{"a":'))).toEqual([400, 'invalid_json']);
  });

  it('returns 415 for another media type', async () => {
    expect(outcome(await sendRaw(one, 'a=b', 'application/x-www-form-urlencoded'))).toEqual([
      415,
      'unsupported_media_type',
    ]);
  });

  it('returns 413 for a body above one mebibyte', async () => {
    const text = JSON.stringify({ a: 'x'.repeat(limits.requestBodyBytes) });
    expect(outcome(await sendRaw(one, text))).toEqual([413, 'payload_too_large']);
  });

  it('returns 422 for a body that is not an object', async () => {
    expect(outcome(await sendBody(one, () => [1, 2]))).toEqual([422, 'validation_failed']);
  });

  it('returns one issue per unknown key, including columns of the stored row', async () => {
    const forged = { tenantId: 'x', projectId: 'x', isSuperAdmin: true, misspelt: 1 };
    const response = await sendBody(one, (body) => ({ ...body, ...forged }));
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    const keys = issuesOf(response).filter(({ code }) => code === 'unrecognized_key');
    expect(keys.map(({ path }) => path)).toEqual(
      expect.arrayContaining(Object.keys(forged).map((key) => [key])),
    );
  });

  it.each([
    ['NUL', '{"a":"x\\u0000"}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['200 levels of nesting', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['a number beyond 2^53', '{"a":9007199254740993}'],
    ['a number beyond the double range', '{"a":1e400}'],
    ['a duplicate key', '{"a":1,"a":2}'],
    ['the key __proto__', '{"__proto__":{"a":1}}'],
  ])('returns 422 for %s', async (_what, body) => {
    expect(outcome(await sendRaw(one, body))).toEqual([422, 'validation_failed']);
  });

  it('returns 422 for bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(outcome(await sendRaw(one, bytes))).toEqual([422, 'validation_failed']);
  });
});

describe.each(restOperations.filter(({ rest }) => rest.method === 'GET'))(
  'Query of $name',
  ({ operation, rest }) => {
    verifies('http/input-unknown-keys', 'lists/filters-unknown', 'limits/input-unaltered');

    const isList = operation.meta.audience !== 'delivery' && 'limit' in operation.input.shape;
    it(`${isList ? 'refuses' : 'ignores'} unknown query parameters`, async () => {
      const call = restCall(rest, await exampleOf(operation)(scene));
      const path = `${call.path}${call.path.includes('?') ? '&' : '?'}utm_source=mail`;
      const response = await send(app(), { ...call, path, key: await rightKey(scene, operation) });
      expect(response.status).toBe(isList ? 422 : 200);
      expect(issuesOf(response).map(({ path: at, code }) => [at, code])).toEqual(
        isList ? [[['utm_source'], 'unknown_parameter']] : [],
      );
    });

    it('returns 422 for a query string that is not UTF-8 or contains NUL', async () => {
      const call = restCall(rest, await exampleOf(operation)(scene));
      for (const junk of ['x=%ff', 'x=%00', 'x=%ED%A0%80']) {
        const path = `${call.path}${call.path.includes('?') ? '&' : '?'}${junk}`;
        expect(outcome(await send(app(), { ...call, path, key: await rightKey(scene, operation) }))).toEqual([
          422,
          'validation_failed',
        ]);
      }
    });
  },
);
