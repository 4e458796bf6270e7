import http from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

const app = useApp();

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const get = (path: string, headers: Record<string, string> = {}) =>
  app()
    .request.get(path)
    .set({ accept: browser, ...headers });

const filesOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, address]) => address ?? ''),
  ),
];

/** Sends the path unnormalized; HTTP clients would resolve it. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app().baseUrl);
    http
      .get({ hostname, port, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
}

/** Any of them says that a proxy forwarded the request. */
const proxyHeaders = [
  'X-Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X-Original-Host',
  'X-Envoy-External-Address',
  'True-Client-IP',
  'Fastly-Client-IP',
  'CF-Connecting-IP',
  'CDN-Loop',
];

/** As a proxy requests it that adds no header. */
async function textOverHttp10(path: string): Promise<string> {
  const socket = net.connect(Number(new URL(app().baseUrl).port), '127.0.0.1').setEncoding('utf8');
  socket.write(`GET ${path} HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n`);
  let text = '';
  for await (const part of socket) text += String(part);
  return text;
}

describe('The page at /', () => {
  verifies('graphql/pages-for-browsers');

  it('links the pages and probes, and the explorer of the demo only for requests from the same machine', async () => {
    const links = async (headers: Record<string, string> = {}) =>
      [...(await get('/', headers)).text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link);
    const served = ['/docs', '/openapi.json', '/healthz', '/readyz'];
    const common = ['/admin', '/docs/guides/', ...served];
    expect(await links()).toEqual(common);
    for (const link of ['/admin', ...served]) expect((await get(link)).status).toBe(200);
    app().composition.offerKeys({ project: 'demo', reference: 'r', explorer: 'e' });
    try {
      expect(await links()).toEqual(expect.arrayContaining(['/api/graphql/demo', '/demo']));
      expect(await links({ host: 'service.example' })).toEqual(common);
    } finally {
      app().composition.offerKeys({ project: '', reference: '', explorer: '' });
    }
    expect((await app().request.get('/').set('accept', 'application/json')).status).toBe(404);
  });
});

describe.each(['/docs', '/api/graphql/anything'])('The page at %s', (path) => {
  verifies('graphql/pages-for-browsers');

  it('loads only files of the service and cannot be read by other sites', async () => {
    const { status, headers, text } = await get(path, { origin: 'https://elsewhere.example' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
    expect(text).not.toMatch(/<script>|<script type="module">| on[a-z]+="|https?:/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('references only existing files with the right media type, cacheable for a year', async () => {
    const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };
    const files = filesOf((await get(path)).text);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const extension = file.slice(file.lastIndexOf('.') + 1) as keyof typeof types;
      for (const encoding of ['gzip, deflate, br', 'identity']) {
        const { status, headers, body, text } = await get(file, { 'accept-encoding': encoding });
        expect([file, status, headers['content-type']?.split(';')[0]]).toEqual([file, 200, types[extension]]);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect((text ?? String(body)).length).toBeGreaterThan(0);
      }
    }
  });

  it('contains the demo key only for requests from the same machine', async () => {
    expect((await get(path)).text).toContain('data-key=""');
    app().composition.offerKeys({ project: 'anything', reference: 'a"key', explorer: 'a"key' });
    try {
      expect((await get(path)).text).toContain('data-key="a&quot;key"');
      expect((await get('/api/graphql/another')).text).toContain('data-key=""');
      for (const elsewhere of [
        { host: 'service.example' },
        { 'x-forwarded-for': '203.0.113.7' },
        { forwarded: 'for=203.0.113.7' },
        { via: '1.1 proxy' },
        ...proxyHeaders.map((name) => ({ host: '127.0.0.1', [name]: '203.0.113.7' })),
      ]) {
        const { status, text } = await get(path, elsewhere);
        expect([elsewhere, status, text.includes('key&quot;')]).toEqual([elsewhere, 200, false]);
      }
      expect(await textOverHttp10(path)).toMatch(/data-key=""/);
    } finally {
      app().composition.offerKeys({ project: '', reference: '', explorer: '' });
    }
  });
});

describe('Static files of the pages', () => {
  verifies('graphql/pages-for-browsers');

  it('cannot be escaped by any path', async () => {
    const [file = ''] = filesOf((await get('/docs')).text);
    const base = file.slice(0, file.lastIndexOf('/') + 1);
    const paths = [
      `${base}../../../../package.json`,
      `${base}..%2f..%2fpackage.json`,
      `${base}x/../../../package.json`,
      `${base}..%2f..%2fhandler.ts`,
      `${base}__proto__`,
      `${base}constructor`,
      `${base}reference.js.map`,
      `${base}page.css/`,
      `${base}page.css%00`,
      base,
      '/docs/assets/',
      '/docs/assets/another/page.css',
      '/docs/anything',
    ];
    const statuses = await Promise.all(paths.map(statusOf));
    expect(paths.map((path, index) => [path, statuses[index]])).toEqual(paths.map((path) => [path, 404]));
  });

  it('accept only GET and HEAD, as the pages do', async () => {
    const [file = ''] = filesOf((await get('/docs')).text);
    for (const path of ['/docs', file]) {
      expect((await app().request.post(path).set('accept', browser)).status).toBe(405);
      const { status, text } = await app().request.head(path).set('accept', browser);
      expect([status, text]).toEqual([200, undefined]);
    }
  });
});

describe('The GraphQL endpoint', () => {
  verifies('graphql/pages-for-browsers', 'graphql/failures');

  it('takes GET requests that do not accept HTML for queries, which need a credential', async () => {
    for (const accept of ['*/*', 'application/json', 'application/graphql-response+json']) {
      const { status, body } = await get('/api/graphql/anything', { accept });
      expect([status, body.error]).toEqual([401, 'unauthorized']);
    }
  });

  it('returns JSON to a POST whatever it accepts', async () => {
    const { status, body } = await app()
      .request.post('/api/graphql/anything')
      .set('accept', browser)
      .send({});
    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });
});

describe('GET /preview.js', () => {
  verifies('publication/preview-script');

  it('is a script of at most 5 KB compressed that any site may load, kept for an hour', async () => {
    const { status, headers, text } = await get('/preview.js');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(gzipSync(text).length).toBeLessThanOrEqual(5 * 1024);
    expect((await get('/preview.js', { 'if-none-match': String(headers.etag) })).status).toBe(304);
    expect((await app().request.post('/preview.js')).status).toBe(405);
  });
});

describe('GET /openapi.json', () => {
  verifies('limits/overload');

  it('sends the same bytes in every response, so that slow readers share them', async () => {
    const end = jest.spyOn(http.ServerResponse.prototype, 'end');
    await Promise.all([get('/openapi.json'), get('/openapi.json')]);
    const sent = end.mock.calls.map(([chunk]) => chunk as unknown);
    end.mockRestore();
    const [first, second] = sent.filter((chunk) => Buffer.isBuffer(chunk) && chunk.length > 100_000);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });
});
