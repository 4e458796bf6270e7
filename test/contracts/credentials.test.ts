import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { must, send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { restCall, restOperations, sharedExamples } from '../support/operations.js';
import { verifies } from '../support/verifies.js';

let app: TestApp;
let scene: Scene;
let other: TestProject;
let now = new Date();
const revoked = { delivery: '', management: '' };
let expired = '';

async function newKey(body: object): Promise<{ id: string; secret: string }> {
  const { management, keys } = scene.project;
  return must(app, {
    method: 'POST',
    path: `${management}/api-keys`,
    key: keys.management,
    body: { name: 'Key', ...body },
  });
}

beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
  scene = await openScene(app);
  other = await createProject(app);
  for (const type of ['delivery', 'management'] as const) {
    const { id, secret } = await newKey({ type });
    const { management, keys } = scene.project;
    await must(app, { method: 'DELETE', path: `${management}/api-keys/${id}`, key: keys.management });
    revoked[type] = secret;
  }
  const soon = new Date(now.getTime() + 60_000).toISOString();
  expired = (await newKey({ type: 'management', expiresAt: soon })).secret;
  now = new Date(now.getTime() + 120_000);
});

afterAll(() => app.close());

const exampleOf = sharedExamples();
const authenticated = restOperations.filter(({ operation }) => operation.meta.audience !== 'session');
const projectCases = authenticated.filter(({ operation }) =>
  ['management', 'delivery'].includes(operation.meta.audience),
);
const management = authenticated.filter(({ operation }) => operation.meta.audience === 'management');
const platform = authenticated.filter(({ operation }) => operation.meta.audience === 'platform');
const delivery = authenticated.filter(({ operation }) => operation.meta.audience === 'delivery');

type Case = (typeof restOperations)[number];

/** Calls with a made-up input of the right shape, so only the credential can fail. */
async function callWith({ operation, rest }: Case, key: string | undefined) {
  return send(app, { ...restCall(rest, await exampleOf(operation)(scene)), key });
}

describe('A missing credential', () => {
  verifies('access/anonymous-delivery', 'access/no-credential');

  it.each([...management, ...platform])('gets 401 with a challenge from $name', async (one) => {
    const { status, body, headers } = await callWith(one, undefined);
    expect([status, body.error]).toEqual([401, 'unauthorized']);
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="[a-z]+"$/);
  });

  it.each(delivery)('reads published content through $name', async (one) => {
    expect((await callWith(one, undefined)).status).toBe(200);
  });
});

describe('An invalid credential', () => {
  verifies(
    'access/unknown-credential',
    'access/revoked-and-expired-keys',
    'access/sessions-for-management-only',
  );

  it.each(authenticated)(
    'is rejected by $name when malformed, unknown, truncated or altered',
    async (one) => {
      const real = scene.project.keys.management;
      const swapped = real.slice(0, 10) + (real[10] === 'a' ? 'b' : 'a') + real.slice(11);
      const unknown = 'hwm_0000000000000000000000000000000000000000000000000';
      for (const key of ['nonsense', unknown, real.slice(0, -1), swapped, `${real}x`]) {
        const { status, body, headers } = await callWith(one, key);
        expect([key, status, body.error]).toEqual([key, 401, 'invalid_api_key']);
        expect(headers['www-authenticate']).toContain('error="invalid_token"');
      }
    },
  );

  it.each(projectCases)('is rejected by $name when revoked', async (one) => {
    const key = one.operation.meta.audience === 'delivery' ? revoked.delivery : revoked.management;
    const { status, body } = await callWith(one, key);
    expect([status, body.error]).toEqual([401, 'api_key_revoked']);
  });

  it.each(projectCases)('is rejected by $name when expired', async (one) => {
    const { status, body } = await callWith(one, expired);
    expect([status, body.error]).toEqual([401, 'api_key_expired']);
  });

  it.each([...management, ...platform])(
    'is an invalid_session of $name when it looks like a token',
    async (one) => {
      const { status, body } = await callWith(one, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.');
      expect([status, body.error]).toEqual([401, 'invalid_session']);
    },
  );
});

describe('A key of the wrong type', () => {
  verifies('access/credentials', 'access/wrong-key-type');

  it.each(management)('is rejected by $name', async (one) => {
    for (const key of [scene.project.keys.delivery, scene.project.keys.preview]) {
      const { status, body, headers } = await callWith(one, key);
      expect([status, body.error]).toEqual([403, 'wrong_key_type']);
      expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
    }
  });

  it.each(platform)('is rejected by $name, which requires a super-admin', async (one) => {
    const { status, body } = await callWith(one, scene.project.keys.management);
    expect([status, body.error]).toEqual([403, 'super_admin_required']);
  });
});

describe('A key of another project', () => {
  verifies('access/wrong-project', 'access/project-not-revealed');

  it.each(projectCases)(
    'gets the same 403 from $name whether or not the project exists',
    async ({ operation, rest }) => {
      const input = await exampleOf(operation)(scene);
      const call = restCall(rest, input);
      const missing = restCall(rest, { ...input, projectSlug: 'no-such-project' });
      const answers = await Promise.all(
        [call, missing].map((one) => send(app, { ...one, key: other.keys.management })),
      );
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [403, expect.objectContaining({ error: 'wrong_project' })],
        [403, answers[0]?.body],
      ]);
    },
  );
});
