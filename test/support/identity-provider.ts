import { jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import type { TestApp } from './app.js';
import { send } from './call.js';
import { platform } from './platform.js';

export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A real OpenID Connect provider on loopback, whose login page asks for an account and no password. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What it says of its accounts, by their subjects; a test may change it. */
  readonly people: Map<string, Person>;
  close(): Promise<void>;
}

const clientId = 'headwater';
const clientSecret = 'a client secret of thirty-two bytes';

const page = (action: string): string => `<!doctype html><title>Example login</title>
  <form method="post" action="${action}"><label>Account <input name="account" autofocus></label><button>Log in</button></form>`;

function configuration(people: TestProvider['people'], redirectUris: string[]): Configuration {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris.map((uri) => uri.replace(/sign-on$/, '')),
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['only for tests'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ sub, ...person }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  };
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

/** Where the provider sends browsers of tests without one. */
export const redirectUri = 'https://cms.example.com/admin/sign-on';

/** @param redirectUris pages that may receive its answers */
export async function startProvider(redirectUris: string[] = [redirectUri]): Promise<TestProvider> {
  const people = new Map<string, Person>();
  const server = createServer();
  await listening(server);
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  // It warns that its store and keys are for tests.
  const warnings = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const provider = new Provider(issuer, configuration(people, redirectUris));
  warnings.mockRestore();
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (!pathname.startsWith('/interaction/')) {
      void answer(request, response);
      return;
    }
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'text/html').end(page(pathname));
      return;
    }
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const accountId = new URLSearchParams(body).get('account') ?? '';
      void provider.interactionFinished(request, response, { login: { accountId } });
    });
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    });
  return { issuer, clientId, clientSecret, people, close };
}

/** As a browser keeps them. */
class Cookies {
  readonly #kept = new Map<string, string>();

  get header(): string {
    return [...this.#kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#kept.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}

/** Logs an account in at the provider, and returns the query with which it sends the browser back. */
export async function responseOf(authorizationUrl: string, account: string): Promise<string> {
  const cookies = new Cookies();
  const visit = async (url: string, form?: string): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        Cookie: cookies.header,
        ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
    cookies.keep(response);
    return response;
  };
  const { origin } = new URL(authorizationUrl);
  let response = await visit(authorizationUrl);
  for (let steps = 0; steps < 8; steps += 1) {
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${String(response.status)}`);
    const next = new URL(location, origin);
    if (next.origin !== origin) return next.search;
    const isLogin = next.pathname.startsWith('/interaction/');
    response = isLogin
      ? await visit(next.href, new URLSearchParams({ account }).toString())
      : await visit(next.href);
  }
  throw new Error('The provider did not return the browser');
}

export interface SignOnStart {
  readonly authorizationUrl: string;
  readonly signOnToken: string;
}

export const startSignOn = async (app: TestApp, tenantSlug: string): Promise<SignOnStart> => {
  const { body } = await send(app, {
    method: 'POST',
    path: '/api/v1/auth/sign-on',
    body: { tenantSlug, redirectUri },
  });
  return (body as { data: SignOnStart }).data;
};

/** Lets a tenant sign on at the provider. */
export async function useProvider(
  app: TestApp,
  tenantSlug: string,
  { issuer, clientSecret: secret }: TestProvider,
  change: object = {},
): Promise<void> {
  const scopes = ['email', 'profile', 'groups'];
  const body = { issuer, clientId, clientSecret: secret, scopes, isActive: true, ...change };
  const { status, text } = await platform(app, `PUT /tenants/${tenantSlug}/sign-on`, body);
  if (status !== 200) throw new Error(text);
}
