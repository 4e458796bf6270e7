import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { surrogateKeys } from '../../src/infrastructure/cache-tags.js';
import type { EdgeSettings } from '../../src/infrastructure/edge/edge-client.js';
import { startBeside, startTestApp, type TestApp } from '../support/app.js';
import { Desk } from '../support/desk.js';
import { createArticleTypes, createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

interface Purge {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A cache that records the purges that it receives. */
async function openEdge() {
  const purges: Purge[] = [];
  let status = 200;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      purges.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    purges,
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    respond: (next: number) => {
      status = next;
    },
    close: () => server.close(),
  };
}

let edge: Awaited<ReturnType<typeof openEdge>>;
let app: TestApp;
let project: TestProject;
let desk: Desk;

const settings = (given: Partial<EdgeSettings> = {}): EdgeSettings => ({
  kind: 'http',
  urls: [edge.url],
  target: '',
  ...given,
});

const keysIn = ({ body }: Purge): string[] => (JSON.parse(body) as { surrogateKeys: string[] }).surrogateKeys;

/** Keys that a change purges, without what is sent for the second time. */
async function purgedBy(change: () => Promise<unknown>): Promise<string[]> {
  await app.rows(null, 'DELETE FROM edge_purges');
  edge.purges.length = 0;
  await change();
  await app.composition.jobs.purgeEdge();
  return edge.purges.flatMap(keysIn).sort();
}

const entryKeys = (id: string): string[] => [surrogateKeys.entry(id), surrogateKeys.shortEntry(id)];

const article = (title: string) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields: { title } });

beforeAll(async () => {
  edge = await openEdge();
  app = await startTestApp({ edge: settings({ token: 'planted-canary' }) });
  await app.composition.jobs.purgeEdge();
  project = await createProject(app);
  desk = new Desk(app, project);
  await createArticleTypes(app, project);
  await createType(app, project, {
    apiName: 'page',
    isPage: true,
    fields: [{ apiName: 'title', type: 'text' }],
  });
});

afterAll(async () => {
  await app.close();
  edge.close();
});

beforeEach(() => {
  edge.respond(200);
});

describe('A cache in front of the service', () => {
  verifies('delivery/caching-purges');

  it('drops an entry and the lists of its type when it is published, changed and unpublished', async () => {
    const { id } = await article('The upper lock');
    const expected = [...entryKeys(id), 'type:article'].sort();
    expect(await purgedBy(() => publish(app, project, id))).toEqual(expected);
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'The lower lock' } });
    expect(await purgedBy(() => publish(app, project, id))).toEqual(expected);
    expect(await purgedBy(() => desk.post(`/entries/${id}/unpublish`, {}))).toEqual(expected);
  });

  it('keeps everything while drafts are written', async () => {
    expect(await purgedBy(() => article('A draft'))).toEqual([]);
    expect(edge.purges).toEqual([]);
  });

  it('drops the site when a path appears or goes, not when the page behind it changes', async () => {
    const { id } = await createEntry(app, project, {
      contentTypeApiName: 'page',
      slug: 'weir',
      fields: { title: 'Weir' },
    });
    expect(await purgedBy(() => publish(app, project, id))).toContain('site:main');
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Weirs' } });
    const changed = await purgedBy(() => publish(app, project, id));
    expect(changed).toEqual([...entryKeys(id), 'type:page'].sort());
    expect(await purgedBy(() => desk.post(`/entries/${id}/unpublish`, {}))).toContain('site:main');
  });

  it('drops the site for a redirect, and the project for its content types and for a key that ends', async () => {
    const redirect = { siteId: project.siteId, source: '/old', target: '/new' };
    expect(await purgedBy(() => desk.post('/redirects', redirect))).toEqual(['site:main']);
    const all = [surrogateKeys.project(project.slug)];
    expect(await purgedBy(() => desk.put('/content-types/article', { description: 'Texts' }))).toEqual(all);
    const { id } = await desk.newKey({ type: 'delivery' });
    expect(await purgedBy(() => desk.delete(`/api-keys/${id}`))).toEqual(all);
  });

  it('receives each purge twice, so that an old response of another process does not stay', async () => {
    const { id } = await article('Twice');
    expect(await purgedBy(() => publish(app, project, id))).toContain(`entry:${id}`);
    edge.purges.length = 0;
    await waitFor('the second purge', async () => {
      await app.composition.jobs.purgeEdge();
      return edge.purges.length > 0;
    });
    expect(edge.purges.flatMap(keysIn)).toContain(`entry:${id}`);
    expect(await app.rows(null, 'SELECT id FROM edge_purges')).toEqual([]);
  });

  it('receives a refused purge again, and readiness names it', async () => {
    const { id } = await article('Refused');
    edge.respond(503);
    await purgedBy(() => publish(app, project, id));
    const ready = await app.request.get('/readyz');
    expect(JSON.stringify(ready.body)).toContain('edge');
    edge.respond(200);
    edge.purges.length = 0;
    await waitFor('the purge', async () => {
      await app.composition.jobs.purgeEdge();
      return edge.purges.length > 0;
    });
    expect(edge.purges.flatMap(keysIn)).toContain(`entry:${id}`);
    expect(edge.purges[0]?.headers.authorization).toBe('Bearer planted-canary');
  });

  it('drops what another process changed', async () => {
    const other = await startBeside(app);
    try {
      const { id } = await article('Elsewhere');
      expect(await purgedBy(() => publish(other, project, id))).toContain(`entry:${id}`);
    } finally {
      await other.close();
    }
  });
});

describe('Purges', () => {
  verifies('delivery/caching-purges');

  const sent = async (given: Partial<EdgeSettings>, change: () => Promise<unknown>): Promise<Purge[]> => {
    const other = await startBeside(app, { edge: settings(given) });
    try {
      await app.rows(null, 'DELETE FROM edge_purges');
      edge.purges.length = 0;
      await change();
      await other.composition.jobs.purgeEdge();
      return [...edge.purges];
    } finally {
      await other.close();
    }
  };

  it('are sent to Fastly and Cloudflare as their interfaces ask', async () => {
    const { id } = await article('Everywhere');
    const expected = [...entryKeys(id), 'type:article'].sort();
    const [fastly] = await sent({ kind: 'fastly', target: 'S1', token: 'planted-canary' }, () =>
      publish(app, project, id),
    );
    expect(fastly).toMatchObject({ method: 'POST', url: '/service/S1/purge' });
    expect(fastly?.headers['fastly-key']).toBe('planted-canary');
    expect((JSON.parse(fastly?.body ?? '') as { surrogate_keys: string[] }).surrogate_keys.sort()).toEqual(
      expected,
    );
    const [cloudflare] = await sent({ kind: 'cloudflare', target: 'Z1', token: 'planted-canary' }, () =>
      desk.post(`/entries/${id}/unpublish`, {}),
    );
    expect(cloudflare).toMatchObject({ method: 'POST', url: '/client/v4/zones/Z1/purge_cache' });
    expect(cloudflare?.headers.authorization).toBe('Bearer planted-canary');
    expect((JSON.parse(cloudflare?.body ?? '') as { tags: string[] }).tags.sort()).toEqual(expected);
  });

  it('are sent to each Varnish in parts that fit a header', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async (_, number) => (await article(`N ${String(number)}`)).id),
    );
    const second = await openEdge();
    const purges = await sent({ kind: 'varnish', urls: [edge.url, second.url] }, () =>
      desk.post('/entries/bulk', { action: 'publish', entryIds: ids }),
    );
    const keys = purges.flatMap(({ headers }) => String(headers.xkey).split(' '));
    expect(keys.sort()).toEqual([...ids.flatMap(entryKeys), 'type:article'].sort());
    expect(purges.length).toBeGreaterThan(1);
    expect(
      purges.every(({ method, headers }) => method === 'PURGE' && String(headers.xkey).length < 4096),
    ).toBe(true);
    expect(second.purges.map(({ headers }) => headers.xkey)).toEqual(
      purges.map(({ headers }) => headers.xkey),
    );
    second.close();
  });

  it('are not noted once no worker sends any', async () => {
    const other = await startBeside(app);
    try {
      await other.composition.jobs.purgeEdge();
      const { id } = await article('Off');
      await publish(app, project, id);
      expect(await app.rows(null, 'SELECT id FROM edge_purges')).toEqual([]);
    } finally {
      await other.close();
    }
    await app.rows(null, 'INSERT INTO edge_purging (is_on) VALUES (true)');
  });

  it('are deleted when no cache can have old responses any more', async () => {
    await app.rows(
      null,
      "INSERT INTO edge_purges (tags, noted_at) VALUES ('{q:1}', now() - interval '66 minutes')",
    );
    await app.rows(
      null,
      "INSERT INTO edge_purges (tags, noted_at) VALUES ('{q:2}', now() - interval '60 minutes')",
    );
    await app.composition.jobs.prune();
    expect(await app.rows(null, "SELECT tags FROM edge_purges WHERE tags && '{q:1,q:2}'")).toEqual([
      { tags: ['q:2'] },
    ]);
  });
});

describe('Cache-Tag', () => {
  verifies('delivery/caching-purges');

  it('repeats Surrogate-Key for Cloudflare, also from memory and at 304', async () => {
    const other = await startBeside(app, { edge: settings({ kind: 'cloudflare' }) });
    try {
      const { id } = await article('Tagged');
      await publish(other, project, id);
      const read = () => other.request.get(`${project.delivery}/entries/${id}`);
      const first = await read();
      expect(first.headers['cache-tag']).toBe(first.headers['surrogate-key']?.replaceAll(' ', ','));
      const again = await read();
      expect(again.headers['cache-tag']).toBe(first.headers['cache-tag']);
      const unchanged = await read().set('If-None-Match', String(first.headers.etag));
      expect(unchanged.status).toBe(304);
      expect(unchanged.headers['cache-tag']).toBe(first.headers['cache-tag']);
      expect(
        (await app.request.get(`${project.delivery}/entries/${id}`)).headers['cache-tag'],
      ).toBeUndefined();
    } finally {
      await other.close();
    }
  });
});
