import { createHash, randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import type { TestApp } from './app.js';
import { must, send } from './call.js';
import type { TestProject } from './factories/project.js';
import type { TestMember } from './members.js';

export const redirectUri = 'https://agents.example.com/callback';

export interface TestClient {
  readonly client_id: string;
  readonly client_name: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: string;
}

export const register = (app: TestApp, body: object = {}): Promise<Response> =>
  Promise.resolve(
    app.request
      .post('/oauth/register')
      .send({ client_name: 'Agent host', redirect_uris: [redirectUri], ...body }),
  );

export async function newClient(app: TestApp, body: object = {}): Promise<TestClient> {
  const response = await register(app, body);
  if (response.status !== 201) throw new Error(response.text);
  return response.body as TestClient;
}

/** A verifier and its challenge. */
export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** @param query parameters that differ; undefined omits one */
export function authorize(
  app: TestApp,
  { client_id }: Pick<TestClient, 'client_id'>,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<Response> {
  const given = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: newVerifier().challenge,
    code_challenge_method: 'S256',
    state: 'state of the client',
    ...query,
  };
  const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Promise.resolve(app.request.get(`/oauth/authorize?${new URLSearchParams(sent).toString()}`));
}

export const locationOf = ({ headers }: Response): URL => new URL((headers as { location: string }).location);

/** The id of a request that waits for consent. */
export async function requestOf(
  app: TestApp,
  client: Pick<TestClient, 'client_id'>,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const response = await authorize(app, client, query);
  return locationOf(response).searchParams.get('requestId') ?? '';
}

type Session = Pick<TestMember, 'token'>;

export const answerRequest = (app: TestApp, { token: key }: Session, body: object): Promise<Response> =>
  send(app, { method: 'POST', path: '/api/v1/oauth/consent', key, body });

export const exchange = (app: TestApp, body: Readonly<Record<string, string>>): Promise<Response> =>
  Promise.resolve(
    app.request
      .post('/oauth/token')
      .type('form')
      .send({ grant_type: 'authorization_code', redirect_uri: redirectUri, ...body }),
  );

export interface Granted {
  readonly client: TestClient;
  readonly code: string;
  readonly verifier: string;
}

/** A code that the user has approved. */
export async function approvedCode(
  app: TestApp,
  project: Pick<TestProject, 'slug'>,
  member: Session,
  { client: known, ...choice }: { readonly client?: TestClient } & Record<string, unknown> = {},
): Promise<Granted> {
  const client = known ?? (await newClient(app));
  const { verifier, challenge } = newVerifier();
  const requestId = await requestOf(app, client, { code_challenge: challenge });
  const { redirectTo } = await must<{ redirectTo: string }>(app, {
    method: 'POST',
    path: '/api/v1/oauth/consent',
    key: member.token,
    body: { requestId, approve: true, projectSlug: project.slug, ...choice },
  });
  return { client, verifier, code: new URL(redirectTo).searchParams.get('code') ?? '' };
}

/** A key that a client received. */
export async function clientKey(
  app: TestApp,
  project: Pick<TestProject, 'slug'>,
  member: Session,
  choice: { readonly client?: TestClient } & Record<string, unknown> = {},
): Promise<{ readonly client: TestClient; readonly key: string }> {
  const { client, code, verifier } = await approvedCode(app, project, member, choice);
  const response = await exchange(app, { client_id: client.client_id, code, code_verifier: verifier });
  if (response.status !== 200) throw new Error(response.text);
  return { client, key: (response.body as { access_token: string }).access_token };
}

export const revokeToken = (app: TestApp, { client_id }: TestClient, token: string): Promise<Response> =>
  Promise.resolve(app.request.post('/oauth/revoke').type('form').send({ client_id, token }));
