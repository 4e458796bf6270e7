import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool } from '../../mcp/send.js';
import { must, send } from '../../support/call.js';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { createMember, systemRoleId, type TestMember } from '../../support/members.js';
import {
  answerRequest,
  approvedCode,
  authorize,
  clientKey,
  exchange,
  locationOf,
  newClient,
  newVerifier,
  redirectUri,
  requestOf,
  type Granted,
} from '../../support/oauth-client.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let project: TestProject;
let member: TestMember;

beforeAll(async () => {
  ({ project } = await openDesk(app()));
  member = await createMember(app(), project, [await systemRoleId(app(), project, 'editor')]);
});

const approved = (choice: Parameters<typeof approvedCode>[3] = {}): Promise<Granted> =>
  approvedCode(app(), project, member, choice);

const exchanged = async ({ client, code, verifier }: Granted, change: object = {}) =>
  outcome(await exchange(app(), { client_id: client.client_id, code, code_verifier: verifier, ...change }));

const works = async (key: string): Promise<number> =>
  (
    await app()
      .request.post(`/api/mcp/${project.slug}`)
      .set('Authorization', `Bearer ${key}`)
      .set('Accept', 'application/json, text/event-stream')
      .set('Content-Type', 'application/json')
      .send(callTool('list_sites', {}))
  ).status;

describe('An authorization request', () => {
  verifies('access/oauth-under-attack');

  it.each([
    ['https://evil.example.com/callback'],
    [`${redirectUri}/`],
    [`${redirectUri}?more=1`],
    [`${redirectUri}/../other`],
    ['https://agents.example.com:8443/callback'],
    ['http://agents.example.com/callback'],
    ['https://agents.example.com.evil.example.com/callback'],
  ])('does not redirect to %s, which is not registered', async (uri) => {
    const response = await authorize(app(), await newClient(app()), { redirect_uri: uri });
    expect(outcome(response)).toEqual([400, 'invalid_request']);
    expect(response.headers).not.toHaveProperty('location');
  });

  it('keeps the port of a registered address that is not loopback', async () => {
    const client = await newClient(app(), { redirect_uris: ['http://127.0.0.1:1234/callback'] });
    const to = async (redirect_uri: string) => (await authorize(app(), client, { redirect_uri })).status;
    expect(await to('http://127.0.0.1:4321/callback')).toBe(302);
    expect(await to('http://localhost:1234/callback')).toBe(400);
    expect(await to('http://127.0.0.1:4321/other')).toBe(400);
  });

  it.each([
    ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a token in the redirect', { response_type: 'token' }, 'invalid_request'],
    ['another service', { resource: 'https://evil.example.com/api/mcp/demo' }, 'invalid_target'],
    ['a long state', { state: 's'.repeat(2001) }, 'invalid_request'],
  ])('with %s returns to the client with an error and the issuer', async (_what, query, error) => {
    const response = await authorize(app(), await newClient(app()), query);
    const location = locationOf(response);
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri);
    expect(location.searchParams.get('error')).toBe(error);
    expect(location.searchParams.get('iss')).toBe(app().baseUrl);
  });

  it('of an unknown client is refused in place', async () => {
    for (const client_id of ['unknown', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69', "' OR true --"])
      expect(outcome(await authorize(app(), { client_id }))).toEqual([400, 'invalid_client']);
  });

  it('is 404 for unknown, expired and answered ones alike', async () => {
    const client = await newClient(app());
    const [expired, answered] = [await requestOf(app(), client), await requestOf(app(), client)];
    await app().rows(
      null,
      "UPDATE oauth_requests SET expires_at = now() - interval '1 second' WHERE id = $1",
      [expired],
    );
    await answerRequest(app(), member, { requestId: answered, approve: false });
    const bodies = [];
    for (const requestId of [expired, answered, '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69']) {
      const read = await send(app(), {
        method: 'GET',
        path: `/api/v1/oauth/requests/${requestId}`,
        key: member.token,
      });
      const consent = await answerRequest(app(), member, {
        requestId,
        approve: true,
        projectSlug: project.slug,
      });
      bodies.push([read.status, read.body, consent.status, consent.body]);
    }
    expect(bodies[0]?.[0]).toBe(404);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('names the project, and a consent to another one is refused', async () => {
    const other = await createProject(app());
    const requestId = await requestOf(app(), await newClient(app()), {
      resource: `${app().baseUrl}/api/mcp/${other.slug}`,
    });
    const path = `/api/v1/oauth/requests/${requestId}`;
    const asked = await must(app(), { method: 'GET', path, key: member.token });
    expect(asked).toMatchObject({ clientName: 'Agent host', projectSlug: other.slug });
    const response = await answerRequest(app(), member, {
      requestId,
      approve: true,
      projectSlug: project.slug,
    });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    const foreign = await answerRequest(app(), member, {
      requestId,
      approve: true,
      projectSlug: other.slug,
    });
    expect(outcome(foreign)).toEqual([403, 'wrong_project']);
  });

  it('is answered by one of two calls at once', async () => {
    const requestId = await requestOf(app(), await newClient(app()));
    const answers = await Promise.all(
      [1, 2].map(() => answerRequest(app(), member, { requestId, approve: true, projectSlug: project.slug })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('A consent', () => {
  verifies('access/oauth-under-attack');

  it('needs a session in a header, and its page cannot be framed', async () => {
    const body = { requestId: await requestOf(app(), await newClient(app())), approve: true };
    const path = '/api/v1/oauth/consent';
    const cookie = await app().request.post(path).set('Cookie', `session=${member.token}`).send(body);
    expect(outcome(cookie)).toEqual([401, 'unauthorized']);
    const withKey = await send(app(), { method: 'POST', path, key: project.keys.management, body });
    expect(outcome(withKey)).toEqual([403, 'wrong_key_type']);
    const { key } = await clientKey(app(), project, member);
    expect(outcome(await send(app(), { method: 'POST', path, key, body }))).toEqual([403, 'wrong_key_type']);
    const page = await app().request.get(`/admin/oauth?requestId=${body.requestId}`);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});

describe('A code', () => {
  verifies('access/oauth-under-attack');
  const refused = [400, 'invalid_grant'];

  it('needs the verifier of its challenge', async () => {
    const granted = await approved();
    expect(await exchanged(granted, { code_verifier: newVerifier().verifier })).toEqual(refused);
    const challengeAsVerifier = await exchange(app(), {
      client_id: granted.client.client_id,
      code: granted.code,
      code_verifier: '',
    });
    expect(challengeAsVerifier.status).toBe(400);
    expect(await exchanged(granted)).toEqual([200, undefined]);
  });

  it('is of one client', async () => {
    const granted = await approved();
    const other = await newClient(app());
    expect(await exchanged({ ...granted, client: other })).toEqual(refused);
    expect(await exchanged(granted)).toEqual([200, undefined]);
  });

  it('is of one redirect URI and one resource', async () => {
    const client = await newClient(app(), { redirect_uris: [redirectUri, `${redirectUri}/2`] });
    const granted = await approved({ client });
    expect(await exchanged(granted, { redirect_uri: `${redirectUri}/2` })).toEqual(refused);
    const elsewhere = `${app().baseUrl}/api/mcp/another`;
    expect(await exchanged(granted, { resource: elsewhere })).toEqual(refused);
    expect(await exchanged(granted, { resource: 'https://evil.example.com' })).toEqual([
      400,
      'invalid_target',
    ]);
    const own = `${app().baseUrl}/api/mcp/${project.slug}`;
    expect(await exchanged(granted, { resource: own })).toEqual([200, undefined]);
  });

  it('works once; using it again ends the key that it gave', async () => {
    const granted = await approved();
    const given = { client_id: granted.client.client_id, code: granted.code };
    const response = await exchange(app(), { ...given, code_verifier: granted.verifier });
    const { access_token: key } = response.body as { access_token: string };
    expect(await works(key)).toBe(200);
    expect(await exchanged(granted, { code_verifier: newVerifier().verifier })).toEqual(refused);
    expect(await works(key)).toBe(200);
    expect(await exchanged(granted)).toEqual(refused);
    expect(await works(key)).toBe(401);
  });

  it('gives one key to two exchanges at once', async () => {
    const granted = await approved();
    await Promise.all([exchanged(granted), exchanged(granted)]);
    const rows = await app().rows<{ total: number }>(
      project.tenantId,
      'SELECT count(*)::int AS total FROM api_keys WHERE oauth_client_id = $1',
      [granted.client.client_id],
    );
    expect(rows).toEqual([{ total: 1 }]);
  });

  it('expires', async () => {
    const granted = await approved();
    await app().rows(
      null,
      "UPDATE oauth_requests SET expires_at = now() - interval '1 second' WHERE client_id = $1",
      [granted.client.client_id],
    );
    expect(await exchanged(granted)).toEqual(refused);
  });

  it('gives nothing once its user has left the project', async () => {
    const leaver = await createMember(app(), project, [await systemRoleId(app(), project, 'editor')]);
    const granted = await approvedCode(app(), project, leaver);
    await must(app(), {
      method: 'DELETE',
      path: `${project.management}/users/${leaver.id}`,
      key: project.keys.management,
    });
    expect(await exchanged(granted)).toEqual(refused);
  });

  it('cannot be guessed, and is exchanged by no other grant', async () => {
    const granted = await approved();
    expect(await exchanged({ ...granted, code: 'hwc_guessed' })).toEqual(refused);
    for (const grant_type of ['refresh_token', 'client_credentials', 'password'])
      expect((await exchange(app(), { client_id: granted.client.client_id, grant_type })).status).toBe(400);
    expect(await exchanged(granted)).toEqual([200, undefined]);
  });

  it('is sent where no cache keeps it', async () => {
    const granted = await approved();
    const response = await exchange(app(), {
      client_id: granted.client.client_id,
      code: granted.code,
      code_verifier: granted.verifier,
    });
    expect(response.headers['cache-control']).toBe('no-store');
    const [row] = await app().rows<{ text: string }>(
      null,
      'SELECT oauth_requests::text AS text FROM oauth_requests WHERE client_id = $1',
      [granted.client.client_id],
    );
    expect(row?.text).not.toContain(granted.code);
  });
});
