import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { useTool } from '../../mcp/agents.js';
import { must, send } from '../../support/call.js';
import { openDesk, useApp } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import type { TestProject } from '../../support/factories/project.js';
import { createMember, systemRoleId, type TestMember } from '../../support/members.js';
import { revokeToken, type TestClient } from '../../support/oauth-client.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
const clients: Client[] = [];
let project: TestProject;
let member: TestMember;

beforeAll(async () => {
  ({ project } = await openDesk(app()));
  member = await createMember(app(), project, [await systemRoleId(app(), project, 'editor')]);
});
afterAll(() => Promise.all(clients.map((client) => client.close())));

/** A host on the machine of the user, which listens on another port than it registered. */
class Host implements OAuthClientProvider {
  readonly redirectUrl: string;
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  opened: URL | undefined;
  #verifier = '';

  constructor(port: number) {
    this.redirectUrl = `http://127.0.0.1:${String(port)}/callback`;
  }

  get clientMetadata() {
    return { client_name: 'Desk host', redirect_uris: [this.redirectUrl] };
  }

  state = (): string => 'a state of the host';
  clientInformation = (): OAuthClientInformationMixed | undefined => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed): void => {
    this.information = information;
  };
  tokens = (): OAuthTokens | undefined => this.saved;
  saveTokens = (tokens: OAuthTokens): void => {
    this.saved = tokens;
  };
  redirectToAuthorization = (url: URL): void => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = (): string => this.#verifier;
}

const endpoint = (): URL => new URL(`${app().baseUrl}/api/mcp/${project.slug}`);
const connection = (host: Host) => new StreamableHTTPClientTransport(endpoint(), { authProvider: host });

function newClient(): Client {
  const client = new Client({ name: 'host', version: '1' });
  clients.push(client);
  return client;
}

/** What the browser of the user does. */
async function consentTo(host: Host, choice: object): Promise<URL> {
  const page = await fetch(host.opened ?? '', { redirect: 'manual' });
  const { pathname, searchParams } = new URL(page.headers.get('location') ?? '');
  expect([page.status, pathname]).toEqual([302, '/admin/oauth']);
  const requestId = searchParams.get('requestId') ?? '';
  const { token: key } = member;
  const asked = await must(app(), { method: 'GET', path: `/api/v1/oauth/requests/${requestId}`, key });
  expect(asked).toEqual({
    id: requestId,
    clientName: 'Desk host',
    redirectHost: new URL(host.redirectUrl).host,
    projectSlug: project.slug,
    expiresAt: expect.any(String),
  });
  const body = { requestId, approve: true, projectSlug: project.slug, ...choice };
  const path = '/api/v1/oauth/consent';
  const { redirectTo } = await must<{ redirectTo: string }>(app(), { method: 'POST', path, key, body });
  return new URL(redirectTo);
}

describe('A host that knows only the URL of the endpoint', () => {
  verifies('access/oauth');

  it('registers, is approved by a user, calls tools, and is refused once its key is revoked', async () => {
    const host = new Host(8123);
    const first = connection(host);
    await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
    const returned = await consentTo(host, { draftOnly: false, toolsets: ['content'] });
    expect(`${returned.origin}${returned.pathname}`).toBe(host.redirectUrl);
    expect(returned.searchParams.get('state')).toBe('a state of the host');
    expect(returned.searchParams.get('iss')).toBe(app().baseUrl);
    await first.finishAuth(returned.searchParams.get('code') ?? '');
    expect(host.saved).toMatchObject({ token_type: 'Bearer', access_token: expect.stringMatching(/^hwm_/) });
    expect(host.saved?.refresh_token).toBeUndefined();

    const client = newClient();
    await client.connect(connection(host));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('create_entry');
    expect(names).not.toContain('content_health');
    const fields = { title: 'By a host' };
    const { id: siteId } = { id: project.siteId };
    const made = await useTool(client, 'create_entry', { contentTypeApiName: 'article', siteId, fields });
    expect(made.structuredContent).toMatchObject({ data: { locales: expect.anything() } });

    const keys = await must<{ id: string; name: string; oauthClientId: string | null; createdBy: object }[]>(
      app(),
      { method: 'GET', path: `${project.management}/api-keys`, key: project.keys.management },
    );
    const own = keys.filter(({ oauthClientId }) => oauthClientId !== null);
    expect(own).toMatchObject([
      {
        name: 'Desk host',
        oauthClientId: host.information?.client_id,
        createdBy: { type: 'user', id: member.id },
      },
    ]);

    const response = await revokeToken(app(), host.information as TestClient, host.saved?.access_token ?? '');
    expect(response.status).toBe(200);
    const again = await fetch(endpoint(), {
      method: 'POST',
      headers: { authorization: `Bearer ${host.saved?.access_token ?? ''}` },
    });
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ error: 'api_key_revoked' });
    expect(again.headers.get('access-control-expose-headers')?.split(',')).toContain('WWW-Authenticate');
    expect(again.headers.get('www-authenticate')).toBe(
      `Bearer realm="mcp", error="invalid_token", resource_metadata="${app().baseUrl}/.well-known/oauth-protected-resource/api/mcp/${project.slug}"`,
    );
  });

  it('may listen on another port of the same loopback address than it registered', async () => {
    const host = new Host(8123);
    await expect(newClient().connect(connection(host))).rejects.toThrow(UnauthorizedError);
    const moved = new Host(9456);
    moved.information = host.information;
    const transport = connection(moved);
    await expect(newClient().connect(transport)).rejects.toThrow(UnauthorizedError);
    const returned = await consentTo(moved, {});
    expect(returned.port).toBe('9456');
    await transport.finishAuth(returned.searchParams.get('code') ?? '');
    const client = newClient();
    await client.connect(connection(moved));
    const entry = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'To be published' },
    });
    const refused = await useTool(client, 'publish_entry', { id: entry.id, locale: 'en' });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: 'api_key_permission_denied' },
    });
  });

  it('learns that the user refused', async () => {
    const host = new Host(8123);
    await expect(newClient().connect(connection(host))).rejects.toThrow(UnauthorizedError);
    const page = await fetch(host.opened ?? '', { redirect: 'manual' });
    const requestId = new URL(page.headers.get('location') ?? '').searchParams.get('requestId');
    const answer = { method: 'POST', path: '/api/v1/oauth/consent', key: member.token } as const;
    const { redirectTo } = await must<{ redirectTo: string }>(app(), {
      ...answer,
      body: { requestId, approve: false },
    });
    expect(Object.fromEntries(new URL(redirectTo).searchParams)).toEqual({
      error: 'access_denied',
      state: 'a state of the host',
      iss: app().baseUrl,
    });
    const approved = await send(app(), {
      ...answer,
      body: { requestId, approve: true, projectSlug: project.slug },
    });
    expect([approved.status, approved.body.error]).toEqual([404, 'oauth_request_not_found']);
  });

  it('finds the issuer, the endpoints and what they support', async () => {
    const { baseUrl } = app();
    const documents = await Promise.all(
      [
        '/.well-known/oauth-protected-resource/api/mcp/unknown',
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-authorization-server',
        '/.well-known/oauth-unknown',
      ].map(async (path) => {
        const { status, body } = await app().request.get(path);
        return [status, body] as [number, Record<string, unknown>];
      }),
    );
    expect(documents[0]).toMatchObject([
      200,
      { resource: `${baseUrl}/api/mcp/unknown`, authorization_servers: [baseUrl] },
    ]);
    expect(documents[1]).toMatchObject([200, { resource: baseUrl }]);
    expect(documents[2]).toMatchObject([
      200,
      {
        issuer: baseUrl,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        grant_types_supported: ['authorization_code'],
        authorization_response_iss_parameter_supported: true,
      },
    ]);
    expect(documents[3]?.[0]).toBe(404);
    expect((await app().request.post('/.well-known/oauth-authorization-server')).status).toBe(405);
  });
});
