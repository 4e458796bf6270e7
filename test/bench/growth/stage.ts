import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { OperationsClient } from '../../../src/cli/client/operations-client.js';
import { compose, type Composition } from '../../../src/process/compose.js';
import { createSuperAdmin } from '../../../src/features/access/sessions/index.js';
import { newId } from '../../../src/infrastructure/ids.js';
import { createLogger } from '../../../src/infrastructure/logger.js';
import { migrateUp } from '../../../src/persistence/migrations/migrator.js';
import type { BulkPlace } from '../seed/bulk-entries.js';
import { indexSeeded, seedPages, types } from './content.js';
import { testMedia } from '../../support/test-media.js';

/** A service over a database with one project of `count` pages, or assets. */
export interface Stage {
  readonly count: number;
  readonly composition: Composition;
  readonly place: BulkPlace;
  /** Sends a REST request; returns the body and throws on an error status. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<unknown>;
  /** Runs a statement as the owner of the database, behind the wall of the project's tenant. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly object[]>;
  close(): Promise<void>;
}

const project = 'growth';

/** Of a service over a database. */
export const options = (url: string) => ({
  serviceUrl: url,
  readUrl: url,
  poolSize: 8,
  tokens: {
    algorithm: 'HS256' as const,
    issuer: 'headwater',
    audience: 'headwater',
    secret: Buffer.from('a secret of the benchmark, more than thirty-two bytes long'),
  },
  logger: createLogger('error'),
  mcpAllowedOrigins: [],
  media: testMedia(),
  queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
});

async function makeProject(client: OperationsClient, locales: readonly string[]): Promise<string> {
  const own = { slug: project, name: 'Growth' };
  await client.call('tenants', 'create', { ...own, locales: [...locales], project: own });
  const site = { projectSlug: project, slug: 'main', name: 'Main', baseUrl: 'https://www.example.com' };
  const { data } = await client.call('sites', 'create', site);
  for (const type of types)
    await client.call('contentTypes', 'create', {
      projectSlug: project,
      ...type,
      fields: [...type.fields],
    });
  return data.id;
}

/** Fills a project. */
type Fill = (client: pg.Client, place: BulkPlace, count: number) => Promise<void>;

export interface StageContent {
  readonly fill?: Fill;
  /** Of the site; the first is its default. */
  readonly locales?: readonly string[];
  /** Address of a server that makes vectors. */
  readonly embeddings?: string | undefined;
}

async function seed(
  url: string,
  siteId: string,
  fill: (client: pg.Client, place: BulkPlace) => Promise<void>,
) {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ tenant_id: string; environment_id: string }>(
      'SELECT tenant_id, environment_id FROM environment_heads WHERE project_slug = $1',
      [project],
    );
    const { tenant_id: tenantId = '', environment_id: environmentId = '' } = rows[0] ?? {};
    const place = { tenantId, environmentId, siteId };
    await fill(owner, place);
    return place;
  } finally {
    await owner.end();
  }
}

async function connectOwner(url: string, { tenantId }: BulkPlace): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  return owner;
}

async function listen(composition: Composition): Promise<http.Server> {
  const server = http.createServer(composition.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Keeps connections open. `{main}` is the project's management prefix, `{site}` its delivery prefix. */
function caller(server: http.Server, keys: { readonly delivery: string; readonly management: string }) {
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const call: Stage['call'] = async (method, path, body, headers) => {
    const isDelivery = path.startsWith('{site}');
    const url = path
      .replace('{site}', `/api/delivery/projects/${project}/sites/main`)
      .replace('{main}', `/api/v1/projects/${project}`);
    const answer = await fetch(origin + url, {
      method,
      headers: {
        authorization: `Bearer ${isDelivery ? keys.delivery : keys.management}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${String(answer.status)} ${text.slice(0, 500)}`);
    return JSON.parse(text) as unknown;
  };
  return call;
}

/** Migrates an empty database, seeds `count` pages, or what `fill` makes, and starts the service. */
export async function openStage(
  url: string,
  count: number,
  { fill = seedPages, locales = ['en'], embeddings }: StageContent = {},
): Promise<Stage> {
  await migrateUp({ url });
  const embedding =
    embeddings === undefined ? undefined : { url: embeddings, model: 'growth', timeoutMilliseconds: 30_000 };
  const composition = await compose({ ...options(url), ...(embedding && { search: { embedding } }) });
  const login = { email: `growth-${newId()}@example.com`, password: 'a password of the benchmark' };
  const request = { scope: systemScope({ command: 'growth' }), isReadOnly: false, lock: 'none' } as const;
  await composition.services.units.run(request, (work) =>
    createSuperAdmin(work, { ...login, name: 'Growth' }),
  );
  const client = await OperationsClient.login(composition, login);
  const place = await seed(url, await makeProject(client, locales), (owner, at) => fill(owner, at, count));
  const keyOf = async (type: 'delivery' | 'management') =>
    (await client.call('apiKeys', 'create', { projectSlug: project, name: type, type })).data.secret;
  const keys = { delivery: await keyOf('delivery'), management: await keyOf('management') };
  const owner = await connectOwner(url, place);
  await indexSeeded(owner, composition.jobs);
  const server = await listen(composition);
  return {
    count,
    composition,
    place,
    call: caller(server, keys),
    query: async (sql, values = []) => (await owner.query<object>(sql, [...values])).rows,
    close: async () => {
      await owner.end();
      composition.beginDrain();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await composition.close();
    },
  };
}
