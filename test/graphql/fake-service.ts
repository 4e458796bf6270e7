import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import { formatSecret, hashSecret } from '../../src/access/key-secret.js';
import type { Catalog } from '../../src/content/catalog.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import type { KnownKey } from '../../src/features/access/api-keys/index.js';
import { boundOperations, graphqlRouter, KeyCredentials, type Services } from '../../src/procedures/index.js';
import { createGraphqlHandler, type GraphqlHandlerOptions } from '../../src/surfaces/graphql/handler.js';
import { Exchange } from '../../src/surfaces/http/exchange.js';
import { finish } from '../../src/surfaces/http/pipeline.js';
import { exchangeSettings } from '../support/pipeline.js';
import { catalogOf, FakeSource } from './fixture.js';

/** The secret of fake key number 1–9: 2 belongs to another project, 3 is expired, 4 revoked, 5–9 unknown. */
export const secretOf = (type: KeyType, number = 1): string =>
  formatSecret(type, new Uint8Array(32).fill(number));

export interface FakeEndpoint {
  readonly url: string;
  readonly published: FakeSource;
  readonly drafts: FakeSource;
  catalog: Catalog;
  readonly logged: string[];
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Bodies have whatever shape the test expects.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

const types: readonly KeyType[] = ['delivery', 'preview', 'management'];

function knownKeys(): KnownKey[] {
  return types.flatMap((type) =>
    [1, 2, 3, 4].map((number) => ({
      id: `${type}-${number}`,
      name: type,
      type,
      tenantId: 'tenant-1',
      projectId: number === 2 ? 'project-2' : 'project-1',
      permissions: [],
      toolsets: [],
      siteIds: [],
      environmentId: null,
      selectedEnvironmentId: null,
      rateLimit: null,
      ipAllowlist: [],
      isDraftOnly: false,
      requireConfirmation: false,
      previousSecretHash: null,
      previousSecretExpiresAt: null,
      secretHash: hashSecret(secretOf(type, number)),
      expiresAt: number === 3 ? new Date(0) : null,
      revokedAt: number === 4 ? new Date(0) : null,
      holderId: null,
      needsSecondFactor: false,
    })),
  );
}

const toRow = <T extends object>(document: T) => ({ ...document, sharedFields: {} });

const resolveUndefined = () => Promise.resolve(undefined);

function servicesOf(endpoint: Pick<FakeEndpoint, 'published' | 'drafts' | 'catalog'>): Services {
  const keys = knownKeys();
  const { drafts } = endpoint;
  const repository = {
    byIds: async (...given: Parameters<FakeSource['byIds']>) => (await drafts.byIds(...given)).map(toRow),
    bySlug: async (...given: Parameters<FakeSource['bySlug']>) =>
      [await drafts.bySlug(...given)].flatMap((one) => (one ? [toRow(one)] : [])),
    list: async (...given: Parameters<FakeSource['list']>) => {
      const { items, total } = await drafts.list(...given);
      return { items: items.map(toRow), total };
    },
  };
  return {
    clock: () => new Date(),
    units: { run: (_request: unknown, work: (unit: unknown) => unknown) => work({ use: () => repository }) },
    catalogs: {
      peek: () => undefined,
      find: (slug: string) => Promise.resolve(slug === 'demo' ? endpoint.catalog : undefined),
    },
    keyUses: { record: () => undefined },
    credentials: new KeyCredentials(
      {
        peek: () => undefined,
        byHash: (hash: Buffer) => Promise.resolve(keys.find(({ secretHash }) => secretHash.equals(hash))),
      },
      () => new Date(),
    ),
    publishedDocuments: () => endpoint.published,
    sitemaps: resolveUndefined,
    routes: () => ({
      entryAt: resolveUndefined,
      redirectAt: resolveUndefined,
      listRedirects: resolveUndefined,
      pathsOf: () => Promise.resolve(new Map()),
    }),
  } as unknown as Services;
}

/** Serves the handler on a free port with documents in memory. */
export async function serveFake(
  catalog: Catalog = catalogOf(),
  limits: GraphqlHandlerOptions['limits'] = { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
): Promise<FakeEndpoint> {
  const logged: string[] = [];
  const endpoint = {
    url: '',
    published: new FakeSource(),
    drafts: new FakeSource([], true),
    catalog,
    logged,
  };
  const logger = createLogger('info', { write: (line) => logged.push(line) });
  const handler = createGraphqlHandler({
    services: servicesOf(endpoint),
    operations: boundOperations(graphqlRouter),
    logger,
    limits,
  });
  const server = createServer((request, response) => {
    const exchange = new Exchange(request, response, { ...exchangeSettings, logger });
    void handler(exchange, request.url?.split(/[/?]/)[3] ?? '').then((answer) => finish(exchange, answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(endpoint, {
    url: `http://127.0.0.1:${port}/api/graphql/demo`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

export interface QueryOptions {
  readonly key?: KeyType;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

export async function send(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

/** Sends a query, by default with a delivery key. */
export function ask(
  { url }: FakeEndpoint,
  query: string,
  { key = 'delivery', ...rest }: QueryOptions = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretOf(key)}` };
  return send(url, { headers, body: JSON.stringify({ query, ...rest }) });
}
