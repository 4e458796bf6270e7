import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Desk, useOwnApp } from '../support/desk.js';
import { createArticleTypes, createEntry, paragraphs, publish } from '../support/factories/content.js';
import { createProject, unique, type TestProject } from '../support/factories/project.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { hasCaddy, hasNginx } from '../support/optional-servers.js';
import { verifies } from '../support/verifies.js';
import { HOST, startCaddy, startNginx, type Front, type Got } from './front.js';

const app = useOwnApp({ trustedProxies: 1 });
let project: TestProject;
let desk: Desk;

beforeAll(async () => {
  project = await createProject(app());
  desk = new Desk(app(), project);
  await createArticleTypes(app(), project);
});

const newArticle = async (title: string, ...texts: string[]): Promise<string> => {
  const draft = { contentTypeApiName: 'article', fields: { title, body: paragraphs(...texts) } };
  const { id } = await createEntry(app(), project, draft);
  await publish(app(), project, id);
  return id;
};
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const json = <T>({ body }: Pick<Got, 'body'>): T => (JSON.parse(body.toString()) as { data: T }).data;
const article = (id: string): string => `${project.delivery}/entries/${id}`;

/** A form with a file of 8 MB. */
async function form(): Promise<{ body: Buffer; headers: http.OutgoingHttpHeaders }> {
  const data = new FormData();
  data.set('file', new Blob([`${unique()}\n${'a line of text\n'.repeat(560_000)}`]), 'notes.txt');
  const made = new Response(data);
  const body = Buffer.from(await made.arrayBuffer());
  const headers = { 'Content-Type': made.headers.get('content-type') ?? '', 'Content-Length': body.length };
  return { body, headers: { ...headers, ...bearer(project.keys.management) } };
}

/** An answer whose lines are read as they come. */
async function nextText(stream: http.IncomingMessage): Promise<string> {
  const [part] = (await once(stream, 'data')) as [Buffer];
  return part.toString();
}

const proxies = [
  { name: 'nginx', has: hasNginx, start: (service: string) => startNginx(service) },
  { name: 'Caddy', has: hasCaddy, start: startCaddy },
];

for (const { name, has, start } of proxies)
  (has ? describe : describe.skip)(`${name} with its shipped configuration (needs ${name})`, () => {
    verifies('operation/proxies');
    let front: Front;
    beforeAll(async () => {
      front = await start(app().baseUrl);
    });
    afterAll(() => front.stop());

    it('serves HTTP/2 with the certificate, and sends plain HTTP there', async () => {
      const { port } = new URL(`https://x:${String(front.ports.https)}`);
      const session = http2.connect(`https://${HOST}`, {
        ca: front.certificate,
        host: '127.0.0.1',
        port: Number(port),
        servername: HOST,
      } as http2.SecureClientSessionOptions);
      const [head] = (await once(session.request({ ':path': '/readyz' }), 'response')) as [
        http2.IncomingHttpHeaders & { ':status': number },
      ];
      session.close();
      expect(head[':status']).toBe(200);
      const plain = http.get({
        port: front.ports.http,
        path: '/docs?a=1',
        headers: { Host: HOST },
        agent: false,
      });
      const [{ statusCode, headers }] = (await once(plain, 'response')) as [http.IncomingMessage];
      expect([statusCode, String(headers.location).replace(/:\d+\//, '/')]).toEqual([
        308,
        `https://${HOST}/docs?a=1`,
      ]);
    });

    it('passes on a file of 8 MB whole', async () => {
      const sent = await form();
      const got = await front.send(`${project.management}/media/upload`, { method: 'POST', ...sent });
      expect(got.status).toBe(201);
      expect(json<{ size: number }>(got).size).toBe(8_400_012);
    });

    it('passes on the beginning of an upload before its end', async () => {
      const { body, headers } = await form();
      const request = front.open(`${project.management}/media/upload`, {
        method: 'POST',
        headers: { ...headers, ...bearer('hwm_unknown') },
      });
      request.on('error', () => undefined);
      request.write(body.subarray(0, 2000));
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      request.destroy();
      expect(response.statusCode).toBe(401);
    });

    it('passes on each line of an event stream at once, to two readers of one address', async () => {
      const url = `${project.delivery}/preview/stream`;
      const headers = { Accept: 'text/event-stream', ...bearer(project.keys.preview) };
      const made = await desk.post('/preview-sessions', { siteId: project.siteId });
      const { token } = (made.body as { data: { token: string } }).data;
      const opened = [
        await front.begin(url, { headers }),
        await front.begin(`${url}?previewToken=${token}`, { headers: { Accept: 'text/event-stream' } }),
        await front.begin(`${url}?previewToken=${token}`, { headers: { Accept: 'text/event-stream' } }),
      ];
      for (const stream of opened) expect(await nextText(stream)).toContain(': open');
      const heard = opened.map(nextText);
      const draft = { contentTypeApiName: 'article', fields: { title: 'Heard' } };
      const { id } = await createEntry(app(), project, draft);
      for (const text of await Promise.all(heard)) expect(text).toContain(id);
      for (const stream of opened) stream.destroy();
    });

    it('tells the service the address of the client, whatever the client claims', async () => {
      const id = await newArticle('From elsewhere');
      const body = Buffer.from(JSON.stringify({ version: 1, fields: { title: 'Named' } }));
      const got = await front.send(`${project.management}/entries/${id}`, {
        method: 'PUT',
        headers: {
          ...bearer(project.keys.management),
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          'X-Forwarded-For': '203.0.113.9',
        },
        body,
        localAddress: '127.0.0.7',
      });
      expect(got.status).toBe(200);
      const [event] = await app().rows<{ ip: string }>(
        null,
        "SELECT context ->> 'ip' AS ip FROM audit_events WHERE context ->> 'requestId' = $1 LIMIT 1",
        [got.headers['x-request-id']],
      );
      expect(event?.ip).toBe('127.0.0.7');
    });

    it('tells the service the name and https, which the links of a sitemap begin with', async () => {
      const own = await createProject(app());
      await createPageType(app(), own);
      await createLivePage(app(), own, { slug: 'ferry' });
      const got = await front.send(`${own.delivery}/sitemap?format=json`, {
        headers: { 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'evil.example' },
      });
      expect(json<{ loc: string }[]>(got).map(({ loc }) => loc)).toEqual([`https://${HOST}/ferry`]);
    });

    it('passes on what the service compressed, in the coding that was asked for', async () => {
      const id = await newArticle('Long', 'a sentence. '.repeat(500));
      for (const [coding, decode] of [
        ['gzip', gunzipSync],
        ['identity', (bytes: Buffer) => bytes],
        ['gzip', gunzipSync],
      ] as const) {
        const got = await front.send(article(id), { headers: { 'Accept-Encoding': coding } });
        expect(got.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
        expect(json<{ _id: string }>({ body: decode(got.body) })._id).toBe(id);
      }
      const described = await front.send('/openapi.json', { headers: { 'Accept-Encoding': 'gzip, br' } });
      expect(described.headers['content-encoding']).toBe('br');
      expect(JSON.parse(brotliDecompressSync(described.body).toString())).toHaveProperty('openapi');
    });

    it('passes on entity tags, and 304 for what the client has', async () => {
      const id = await newArticle('Tagged');
      for (const url of [article(id), `${project.delivery}/content/article`]) {
        const first = await front.send(url);
        const { etag } = first.headers;
        expect([first.status, typeof etag]).toEqual([200, 'string']);
        const again = await front.send(url, { headers: { 'If-None-Match': String(etag) } });
        expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
      }
    });
  });

(hasNginx ? describe : describe.skip)('The cache of the shipped nginx configuration (needs nginx)', () => {
  verifies('delivery/caching-etag', 'operation/proxies');
  const shown = 'proxy_cache headwater; add_header X-Cache $upstream_cache_status;';
  let nginx: Front;
  beforeAll(async () => {
    nginx = await startNginx(app().baseUrl, (text) => text.replace('proxy_cache headwater;', shown));
  });
  afterAll(() => nginx.stop());

  it('keeps what is public by Cache-Control, and nothing of other keys', async () => {
    const id = await newArticle('Kept');
    const keys = [{}, bearer(project.keys.delivery), bearer(project.keys.preview)];
    const states: unknown[] = [];
    for (const headers of keys)
      for (let turn = 0; turn < 2; turn += 1) {
        const got = await nginx.send(article(id), { headers });
        expect(got.status).toBe(200);
        states.push(got.headers['x-cache']);
      }
    expect(states).toEqual(['MISS', 'HIT', 'MISS', 'HIT', 'BYPASS', 'BYPASS']);
  });

  it('passes by drafts that a preview session shows, by header and by cookie', async () => {
    const id = await newArticle('Published');
    await nginx.send(article(id));
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Draft' } });
    const made = await desk.post('/preview-sessions', { siteId: project.siteId });
    const { token } = (made.body as { data: { token: string } }).data;
    const titles: unknown[] = [];
    for (const headers of [{ 'X-Preview-Token': token }, { Cookie: `headwater_preview=${token}` }, {}])
      titles.push(
        json<{ fields: { title: string } }>(await nginx.send(article(id), { headers })).fields.title,
      );
    expect(titles).toEqual(['Draft', 'Draft', 'Published']);
  });

  it('has no part in management', async () => {
    const headers = bearer(project.keys.management);
    const got = await nginx.send(`${project.management}/entries?limit=1`, { headers });
    expect([got.status, got.headers['x-cache']]).toEqual([200, undefined]);
  });
});

describe('The configuration of Traefik', () => {
  it('names a router, a service and a transport that exist, and the port of the service', async () => {
    const read = async (name: string) => parse(await readFile(`src/deploy/${name}`, 'utf8')) as unknown;
    const { http: routes } = (await read('traefik-routes.yaml')) as {
      readonly http: {
        readonly routers: Record<
          string,
          { service: string; entryPoints: string[]; tls: { certResolver: string } }
        >;
        readonly services: Record<string, { loadBalancer: { serversTransport: string } }>;
        readonly serversTransports: object;
      };
    };
    const installed = (await read('traefik.yaml')) as {
      readonly entryPoints: object;
      readonly certificatesResolvers: object;
    };
    for (const { service, entryPoints, tls } of Object.values(routes.routers)) {
      expect(Object.keys(installed.entryPoints)).toEqual(expect.arrayContaining(entryPoints));
      expect(Object.keys(installed.certificatesResolvers)).toContain(tls.certResolver);
      expect(Object.keys(routes.serversTransports)).toContain(
        routes.services[service]?.loadBalancer.serversTransport,
      );
    }
  });
});
