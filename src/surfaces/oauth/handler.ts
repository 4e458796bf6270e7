import express, { type Express, type Request, type Response } from 'express';
import { authorizationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js';
import { clientRegistrationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js';
import { revocationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/revoke.js';
import { tokenHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/token.js';
import {
  InvalidClientMetadataError,
  InvalidGrantError,
  InvalidRequestError,
  InvalidTargetError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  UnsupportedGrantTypeError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import { AppError } from '../../../contracts/errors.js';
import { AuthorizationServer, type Services } from '../../procedures/index.js';
import { jsonAnswer, type HttpAnswer } from '../http/answer.js';
import { callOf, isRead, type Exchange } from '../http/exchange.js';
import { failureAnswer, methodNotAllowed } from '../http/failure-answer.js';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const MCP = '/api/mcp/';
const ENDPOINT = /^\/oauth\/(authorize|token|register|revoke)$/;
const METADATA_HEADERS = ['Cache-Control', 'public, max-age=300'];

/** RFC 8414. Every client is public: what it could keep secret, a host of agents shares among its users. */
const serverMetadata = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs`,
});

/** RFC 9728. The same for projects that exist and that do not. */
const resourceMetadata = (issuer: string, path: string): object => ({
  resource: `${issuer}${path}`,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  resource_name: 'Headwater',
});

/**
 * The project of a resource (RFC 8707); null for the service itself.
 * @throws InvalidTargetError for a resource that is not of this service
 */
function projectOf(resource: URL | undefined, issuer: string): string | null {
  if (resource === undefined) return null;
  const own = new URL(issuer);
  const base = own.pathname.replace(/\/$/, '');
  const path = resource.pathname.replace(/\/$/, '');
  const isOwn = resource.origin === own.origin && (path === base || path.startsWith(`${base}${MCP}`));
  const slug = path.slice(base.length + MCP.length);
  if (!isOwn || (path !== base && !/^[\w-]{1,63}$/.test(slug)))
    throw new InvalidTargetError('The resource is not an MCP endpoint of this service.');
  return path === base ? null : slug;
}

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

const metadataOf = ({
  id,
  name,
  redirectUris,
  createdAt,
}: {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: Date;
}): OAuthClientInformationFull => ({
  client_id: id,
  client_id_issued_at: seconds(createdAt),
  client_name: name,
  redirect_uris: [...redirectUris],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
});

const refusedGrant = (): InvalidGrantError =>
  new InvalidGrantError('The code is unknown, was used, has expired, or belongs to another request.');

/** What the SDK's handlers ask for; they check parameters, redirect URIs and PKCE. */
function providerOf(server: AuthorizationServer, clock: Services['clock']): OAuthServerProvider {
  const { issuer } = server;
  return {
    clientsStore: {
      getClient: async (id) => {
        const client = await server.client(id);
        return client && metadataOf(client);
      },
      registerClient: async ({ client_name: name, redirect_uris: redirectUris }) => {
        const client = await server.register({ name, redirectUris });
        if (client === undefined)
          throw new InvalidClientMetadataError(
            'Send 1 to 10 redirect_uris: https, http on loopback, or the scheme of an app.',
          );
        return metadataOf(client);
      },
    },
    authorize: async ({ client_id: clientId }, { state, codeChallenge, redirectUri, resource }, response) => {
      const projectSlug = projectOf(resource, issuer);
      const request = { clientId, redirectUri, codeChallenge, projectSlug, state: state ?? null };
      const page = await server.request(request);
      if (page === undefined) throw new InvalidRequestError('code_challenge or state is malformed.');
      response.redirect(302, page);
    },
    challengeForAuthorizationCode: async ({ client_id: clientId }, code) => {
      const challenge = await server.challenge({ clientId, code });
      if (challenge === undefined) throw refusedGrant();
      return challenge;
    },
    exchangeAuthorizationCode: async (...[{ client_id: clientId }, code, , redirectUri, resource]) => {
      const projectSlug = projectOf(resource, issuer);
      const key = await server.exchange({ clientId, code, redirectUri, projectSlug });
      if (key === undefined) throw refusedGrant();
      const expires = key.expiresAt && { expires_in: seconds(key.expiresAt) - seconds(clock()) };
      return { access_token: key.secret, token_type: 'Bearer', ...expires };
    },
    exchangeRefreshToken: () =>
      Promise.reject(
        new UnsupportedGrantTypeError('Keys are not refreshed. Connect again when one has expired.'),
      ),
    verifyAccessToken: () => Promise.reject(new ServerError('The MCP endpoint verifies keys.')),
    revokeToken: ({ client_id: clientId }, { token }) => server.revoke(clientId, token),
  };
}

/** The handlers report any other failure as a failure of the service, and log nothing. */
function reported(provider: OAuthServerProvider, { settings, requestId }: Exchange): OAuthServerProvider {
  const wrap =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      run(...args).catch((error: unknown) => {
        if (error instanceof OAuthError) throw error;
        if (error instanceof AppError && error.status === 503)
          throw new TemporarilyUnavailableError('The service is not available. Try again.');
        settings.logger.error({ requestId, err: error }, 'an OAuth request failed unexpectedly');
        throw new ServerError('Internal Server Error');
      });
  const { clientsStore } = provider;
  return {
    ...provider,
    clientsStore: {
      getClient: wrap(async (id: string) => clientsStore.getClient(id)),
      ...(clientsStore.registerClient && {
        registerClient: wrap(async (client: OAuthClientInformationFull) => {
          const made = await clientsStore.registerClient?.(client);
          return made ?? client;
        }),
      }),
    },
    authorize: wrap(provider.authorize),
    challengeForAuthorizationCode: wrap(provider.challengeForAuthorizationCode),
    exchangeAuthorizationCode: wrap(provider.exchangeAuthorizationCode),
    ...(provider.revokeToken && { revokeToken: wrap(provider.revokeToken) }),
  };
}

/** Errors that go to a client name the issuer, too (RFC 9207). */
function nameIssuer(response: Response, issuer: string): void {
  const redirect = response.redirect.bind(response) as (status: number, url: string) => void;
  response.redirect = ((status: number, url: string) => {
    const target = new URL(url);
    if (target.searchParams.has('error')) target.searchParams.set('iss', issuer);
    redirect(status, target.href);
  }) as Response['redirect'];
}

function appOf(provider: OAuthServerProvider, issuer: string): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.use((_request, response, next) => {
    nameIssuer(response, issuer);
    next();
  });
  const options = { provider, rateLimit: false } as const;
  app.use('/oauth/authorize', authorizationHandler(options));
  app.use('/oauth/token', tokenHandler(options));
  app.use('/oauth/revoke', revocationHandler(options));
  const { clientsStore } = provider;
  app.use('/oauth/register', clientRegistrationHandler({ clientsStore, rateLimit: false }));
  return app;
}

/** OAuth 2.1 for hosts of agents that connect by URL alone (rule access/oauth). */
export class OAuthSurface {
  constructor(private readonly services: Services) {}

  /** @throws AppError 404 `not_found`, 429 `rate_limit_exceeded` */
  async answer(exchange: Exchange, path: string): Promise<HttpAnswer | undefined> {
    const [, endpoint] = ENDPOINT.exec(path) ?? [];
    const route = endpoint === undefined ? '/.well-known/oauth' : path;
    const call = callOf(exchange, 'rest');
    Object.assign(exchange.record, { surface: 'service', operation: route, route });
    const server = new AuthorizationServer(this.services, call);
    if (endpoint === undefined) return this.#metadata(exchange, path, server);
    await server.spendRate(endpoint === 'register');
    return this.#inExpress(exchange, server);
  }

  #metadata(exchange: Exchange, path: string, { issuer }: AuthorizationServer): HttpAnswer {
    const resource = path.startsWith(`${RESOURCE}${MCP}`) ? path.slice(RESOURCE.length) : '';
    if (path !== SERVER && path !== RESOURCE && resource === '')
      return failureAnswer(exchange, new AppError('not_found'));
    if (!isRead(exchange.request.method)) return methodNotAllowed(exchange, ['GET']);
    const document = path === SERVER ? serverMetadata(issuer) : resourceMetadata(issuer, resource);
    return jsonAnswer(200, document, METADATA_HEADERS);
  }

  #inExpress(exchange: Exchange, server: AuthorizationServer): Promise<undefined> {
    const provider = reported(providerOf(server, this.services.clock), exchange);
    const app = appOf(provider, server.issuer);
    const { request, response } = exchange;
    exchange.prepareResponse();
    return new Promise((resolve, reject) => {
      for (const event of ['finish', 'close'])
        response.once(event, () => {
          resolve(undefined);
        });
      app(request as Request, response as Response, (failure?: unknown) => {
        reject(failure instanceof Error ? failure : new AppError('not_found'));
      });
    });
  }
}
