import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompositionOptions } from '../../src/process/parts/services.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { textFile } from '../support/factories/media.js';
import { startHungServer, startLimitedService } from '../support/hung-neighbours.js';
import type { HungServer, LimitedService, Request } from '../support/hung-neighbours.js';
import { testMedia } from '../support/test-media.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp();
let desk: Desk;
let entryId: string;
let hung: HungServer;
let service: LimitedService | undefined;

beforeAll(async () => {
  hung = await startHungServer();
  desk = await openDesk(app());
  const entry = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title: 'One' },
  });
  entryId = entry.id;
  await publish(app(), desk.project, entryId);
});
afterEach(async () => {
  await service?.close();
  service = undefined;
});
afterAll(() => {
  hung.close();
});

/** Longer than any test: only the bounds let other requests go on. */
const FOREVER_MS = 600_000;

const s3 = () => ({
  endpoint: hung.url,
  region: 'us-east-1',
  bucket: 'media',
  accessKeyId: 'a',
  secretAccessKey: 'b',
  forcePathStyle: true,
});

const managed = (method: Request['method'], path: string, body?: object): Request => ({
  method,
  path: `${desk.project.management}${path}`,
  key: desk.project.keys.management,
  body,
});

/** An unsigned token that names a key, so that the key set is asked for. */
const foreignToken = (): string =>
  [{ alg: 'RS256', kid: 'k', typ: 'at+jwt' }, { sub: 'a' }, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

interface HungNeighbour {
  options(ms: number): Partial<CompositionOptions>;
  request(): Request;
  /** Error of a request that waited for too long; undefined where it is served without the neighbour. */
  readonly refusal: string | undefined;
}

const upload = (): Request => managed('POST', '/media/upload', { file: textFile() });

const neighbours: Readonly<Record<string, HungNeighbour>> = {
  storage: {
    options: () => ({ media: { ...testMedia(), s3: s3() } }),
    request: upload,
    refusal: 'storage_unavailable',
  },
  scanner: {
    options: () => ({ media: { ...testMedia(), scanner: `clamd://127.0.0.1:${String(hung.port)}` } }),
    request: upload,
    refusal: undefined,
  },
  search: {
    options: (timeoutMilliseconds) => ({
      search: { openSearch: { url: hung.url, prefix: 'hung', timeoutMilliseconds } },
    }),
    request: () => managed('GET', '/search?q=one'),
    refusal: 'search_unavailable',
  },
  embeddings: {
    options: (timeoutMilliseconds) => ({
      search: { embedding: { url: hung.url, model: 'm', timeoutMilliseconds } },
    }),
    request: () => managed('GET', '/search?q=one&mode=semantic'),
    refusal: 'embedding_unavailable',
  },
  translator: {
    options: (ms) => ({
      translation: { url: hung.url, maximumBytes: 1_000_000, timeoutMilliseconds: ms },
    }),
    request: () => managed('POST', `/translations/${entryId}/de/suggest`, {}),
    refusal: 'translation_timeout',
  },
  identity: {
    options: () => ({
      tokens: { algorithm: 'RS256', issuer: 'i', audience: 'a', jwksUrl: `${hung.url}/keys` },
    }),
    request: () => ({ method: 'GET', path: '/api/v1/me', key: foreignToken() }),
    refusal: 'service_unavailable',
  },
};

/** Targets that callers name: hung ones are no fault of the installation, so nothing is degraded. */
const named: Readonly<Record<string, HungNeighbour>> = {
  imports: {
    options: () => ({ webhooks: { allowLoopback: true } }),
    request: () => managed('POST', '/media/import-url', { url: `${hung.url}/a.png` }),
    refusal: 'import_failed',
  },
  'webhook-tests': {
    options: (timeoutMilliseconds) => ({ webhooks: { allowLoopback: true, timeoutMilliseconds } }),
    request: () => managed('POST', `/webhooks/${webhookId}/test`, { event: 'entry.published' }),
    refusal: undefined,
  },
};
let webhookId = '';

const waiting = (name: string) => service?.metric('headwater_neighbour_waiting', name);

/** Requests that need no neighbour: uncached delivery, a list, a write and readiness. */
function others(): Request[] {
  const { delivery } = desk.project;
  return [
    {
      method: 'GET',
      path: `${delivery}/entries/${entryId}?include=${String(Math.floor(Math.random() * 3))}`,
    },
    managed('GET', '/entries'),
    managed('POST', '/entries', { contentTypeApiName: 'article', siteId: desk.project.siteId }),
    { method: 'GET', path: '/readyz' },
  ];
}

async function start({ options }: HungNeighbour, neighbourMs: number): Promise<LimitedService> {
  return (service = await startLimitedService(app(), { neighbourMs, ...options(neighbourMs) }));
}

describe('A neighbour that accepts connections and never responds', () => {
  verifies('limits/neighbours');

  beforeAll(async () => {
    const made = await desk.post('/webhooks', { name: 'Hung', url: `${hung.url}/hook`, events: ['*'] });
    webhookId = (made.body as { data: { id: string } }).data.id;
  });

  it.each(Object.keys({ ...neighbours, ...named }))(
    'holds up only requests that need it, and frees their slots when their clients leave: %s',
    async (name) => {
      const neighbour = { ...neighbours, ...named }[name]!;
      const by = await start(neighbour, FOREVER_MS);
      const sent = by.sendMany(200, neighbour.request);
      await waitFor('requests wait for it', async () => ((await waiting(name)) ?? 0) > 0);
      await waitFor(
        'others are served',
        async () => (await by.send(managed('GET', '/entries'))).status === 200,
      );
      for (let round = 0; round < 5; round += 1) {
        const replies = await Promise.all(others().map((other) => by.send(other)));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
      }
      expect(await waiting(name)).toBeGreaterThan(0);
      sent.leave();
      await waitFor('nothing waits', async () => (await waiting(name)) === 0);
      const { staging } = by.composition.services.media.storage;
      await waitFor('staging is empty', async () => (await readdir(staging).catch(() => [])).length === 0);
    },
  );

  it.each(Object.keys(neighbours))(
    'is degraded, not failing, after a call without progress: %s',
    async (name) => {
      const neighbour = neighbours[name]!;
      const by = await start(neighbour, 200);
      const { status, body } = await by.send(neighbour.request());
      if (neighbour.refusal === undefined) expect(status).toBe(201);
      else expect(body.error).toBe(neighbour.refusal);
      const ready = await by.send({ method: 'GET', path: '/readyz' });
      expect([ready.status, ready.body.data]).toMatchObject([200, { status: 'degraded', degraded: [name] }]);
      expect(await by.metric('headwater_neighbour_degraded', name)).toBe(1);
      expect(await by.metric('headwater_neighbour_failures_total', name)).toBeGreaterThan(0);
    },
  );
});
