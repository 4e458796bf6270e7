import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, paragraphs, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/compression');

const app = useOwnApp();
let desk: Desk;
let [long, short] = ['', ''];

beforeAll(async () => {
  desk = await openDesk(app());
  const article = async (title: string, body: object) => {
    const fields = { title, body };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    await publish(app(), desk.project, id);
    return `${desk.project.delivery}/entries/${id}`;
  };
  long = await article('Locks', paragraphs('Water runs downhill. '.repeat(100)));
  short = await article('Short', paragraphs('Water.'));
});

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A response as it was sent. */
async function raw(
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
  body?: string,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(new URL(path, app().baseUrl), { method, headers, agent: false }, (response) => {
      const { statusCode: status, headers: got } = response;
      buffer(response).then((bytes) => {
        resolve({ status, headers: got, bytes });
      }, reject);
    });
    call.on('error', reject).end(body);
  });
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const codings = ['br', 'gzip'] as const;
const accept = (coding: string): OutgoingHttpHeaders => ({ 'accept-encoding': coding });
const forms = ['hops', 'all'].flatMap((blocks) =>
  ['path', 'absolute'].flatMap((links) =>
    [1, 2, 3].flatMap((include) =>
      [true, false].map(
        (paths) => `blocks=${blocks}&links=${links}&include=${String(include)}&paths=${String(paths)}`,
      ),
    ),
  ),
);
/** Another form of the response, so that none is in the cache. */
const afresh = (path: string): string => `${path}?${forms.pop() ?? 'no form is left'}`;

describe('A delivery response', () => {
  it.each(codings)('is sent as %s from the first request on, and again from the cache', async (coding) => {
    const path = afresh(long);
    const first = await raw(path, accept(coding));
    const plain = await raw(path);
    const again = await raw(path, accept(coding));
    for (const { status, headers, bytes } of [first, again]) {
      expect([status, headers['content-encoding'], headers.vary]).toEqual([
        200,
        coding,
        'Authorization, Accept-Encoding, X-Preview-Token',
      ]);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(decoders[coding](bytes)).toEqual(plain.bytes);
      expect(headers.etag).toBe(String(plain.headers.etag).replace(/"$/, `-${coding}"`));
    }
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('has an entity tag for each coding, each of which matches, and the head of a GET', async () => {
    const path = afresh(long);
    for (const coding of ['identity', ...codings]) {
      const isCoded = async () =>
        ((await raw(path, accept(coding))).headers['content-encoding'] ?? 'identity') === coding;
      while (!(await isCoded()));
      const { headers, bytes } = await raw(path, accept(coding));
      const head = await raw(path, accept(coding), 'HEAD');
      expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
        200,
        String(bytes.length),
        0,
      ]);
      expect([head.headers.etag, head.headers['content-encoding']]).toEqual([
        headers.etag,
        headers['content-encoding'],
      ]);
      const known = await raw(path, { ...accept(coding), 'if-none-match': headers.etag });
      expect([known.status, known.headers.etag, known.bytes.length]).toEqual([304, headers.etag, 0]);
      expect(known.headers['content-encoding']).toBeUndefined();
      const other = await raw(path, { ...accept(coding), 'if-none-match': '"another"' });
      expect(other.status).toBe(200);
    }
  });

  it.each([
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['zstd', undefined],
    ['', undefined],
    ['nonsense;;q=x', undefined],
  ])('has the coding that is preferred by "%s"', async (header, expected) => {
    const path = afresh(long);
    await raw(path, accept(header));
    expect((await raw(path, accept(header))).headers['content-encoding']).toBe(expected);
  });

  it('is never compressed below 1 KB', async () => {
    for (let hit = 0; hit < 3; hit += 1) {
      const { headers, bytes } = await raw(short, accept('br, gzip'));
      expect([headers['content-encoding'], bytes.length < 1024]).toEqual([undefined, true]);
    }
  });

  it('is compressed once, and what is compressed counts as memory of the cache', async () => {
    const path = afresh(long);
    const cache = app().composition.responseCache;
    if (cache === undefined) throw new Error('there is no cache');
    await raw(path);
    const before = cache.size.bytes;
    const sizes: number[] = [];
    for (const coding of codings) {
      await raw(path, accept(coding));
      let coded = await raw(path, accept(coding));
      while (coded.headers['content-encoding'] === undefined) coded = await raw(path, accept(coding));
      sizes.push(coded.bytes.length);
    }
    const grown = cache.size.bytes - before;
    expect(grown).toBeGreaterThan(sizes.reduce((sum, size) => sum + size, 0));
    for (const coding of codings) await raw(path, accept(coding));
    expect(cache.size.bytes - before).toBe(grown);
  });

  it.each(codings)('is sent as %s to preview keys and by GraphQL, too', async (coding) => {
    const { preview, delivery } = desk.project.keys;
    const draft = await raw(long, { ...accept(coding), authorization: `Bearer ${preview}` });
    expect([draft.status, draft.headers['content-encoding'], draft.headers.etag]).toEqual([
      200,
      coding,
      undefined,
    ]);
    expect(JSON.parse(decoders[coding](draft.bytes).toString())).toMatchObject({
      data: { fields: { title: 'Locks' } },
    });
    const query = JSON.stringify({
      query: `{ ${coding}: articleCollection(locale: "en") { items { title body { html } } } }`,
    });
    const headers = {
      ...accept(coding),
      'content-type': 'application/json',
      authorization: `Bearer ${delivery}`,
    };
    const { headers: got, bytes } = await raw(`/api/graphql/${desk.project.slug}`, headers, 'POST', query);
    expect([got['content-encoding'], got['content-length']]).toEqual([coding, String(bytes.length)]);
    expect(decoders[coding](bytes).toString()).toContain('Locks');
  });
});

describe('GET /openapi.json', () => {
  it.each(codings)('is sent as %s', async (coding) => {
    const plain = await raw('/openapi.json');
    const { headers, bytes } = await raw('/openapi.json', accept(coding));
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
    expect(decoders[coding](bytes)).toEqual(plain.bytes);
  });
});

describe('A management response', () => {
  it('is not compressed, because its length would show secrets', async () => {
    const { management } = desk.project.keys;
    const path = `${desk.project.management}/content-types`;
    const { headers, bytes } = await raw(path, {
      ...accept('br, gzip'),
      authorization: `Bearer ${management}`,
    });
    expect([headers['content-encoding'], bytes.length > 1024]).toEqual([undefined, true]);
  });
});
