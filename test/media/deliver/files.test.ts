import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { picture } from '../receive/pictures.js';
import { bytesOf, errorOf, Library, type StoredAsset } from './library.js';

/** Larger than what is kept in memory. */
const LARGE = 700_000;

describe('Delivered files', () => {
  verifies('media/urls', 'media/urls-signed');

  const app = useOwnApp();
  let library: Library;
  let image: StoredAsset;
  let large: StoredAsset;
  const text = Buffer.from(`${randomBytes(LARGE / 2).toString('hex')}`);

  beforeAll(async () => {
    library = await Library.open(app());
    image = await library.add(await picture().png().toBuffer(), { fileName: 'süß "1".png' });
    large = await library.add(text, { fileName: 'large.txt' });
  });

  it('are immutable, inline and inert', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await library.get(image.url, {}, method);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(image.size),
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${image.checksum}"`,
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-disposition': `inline; filename="s__ 1.png"; filename*=UTF-8''s%C3%BC%C3%9F%201.png`,
        'surrogate-key': `media:${image.id} project:${library.project.slug}`,
        'access-control-allow-origin': '*',
      });
      expect((await bytesOf(response)).length).toBe(method === 'GET' ? image.size : 0);
    }
    const other = await library.get(large.url, {}, 'HEAD');
    expect(other.headers.get('content-disposition')).toBe('attachment; filename="large.txt"');
    expect(other.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('arrive whole, from memory and from the storage', async () => {
    expect((await bytesOf(await library.get(large.url))).equals(text)).toBe(true);
    const { storage } = app().composition.services.media;
    const stored = await storage.read(image.storageKey);
    const expected = Buffer.concat((await stored?.stream.toArray()) ?? []);
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await bytesOf(await library.get(image.url))).equals(expected)).toBe(true);
  });

  it('are not sent again to a client that has them', async () => {
    for (const tag of [`"${image.checksum}"`, `W/"${image.checksum}"`, `"x", "${image.checksum}"`, '*']) {
      const response = await library.get(image.url, { 'if-none-match': tag });
      expect([response.status, (await bytesOf(response)).length]).toEqual([304, 0]);
      expect(response.headers.get('etag')).toBe(`"${image.checksum}"`);
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
    expect((await library.get(image.url, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('are sent in parts', async () => {
    const size = text.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=699990-', 699_990, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=0-99999999999`, 0, size - 1],
      ['bytes=-99999999', 0, size - 1],
    ] as const) {
      const response = await library.get(large.url, { range });
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
      expect(response.headers.get('content-length')).toBe(String(end - start + 1));
      expect((await bytesOf(response)).equals(text.subarray(start, end + 1))).toBe(true);
    }
    const part = await library.get(image.url, { range: 'bytes=1-3' });
    expect((await bytesOf(part)).toString()).toBe('PNG');
  });

  it.each([
    'bytes=5-1',
    'bytes=-',
    'bytes=a-b',
    'items=0-1',
    'bytes=0-1,5-6',
    'bytes=1-2-3',
    'bytes=1',
    'x'.repeat(5000),
  ])('ignore the range %j', async (range) => {
    const response = await library.get(image.url, { range });
    expect([response.status, (await bytesOf(response)).length]).toEqual([200, image.size]);
  });

  it('refuse a range outside the file', async () => {
    for (const range of [`bytes=${image.size}-`, 'bytes=-0', 'bytes=999999999999999-']) {
      const response = await library.get(image.url, { range });
      expect(response.headers.get('content-range')).toBe(`bytes */${image.size}`);
      expect(await errorOf(response)).toEqual([416, 'range_not_satisfiable']);
    }
  });

  it('are sent whole when the part belongs to another file', async () => {
    const range = 'bytes=0-3';
    const same = await library.get(image.url, { range, 'if-range': `"${image.checksum}"` });
    const other = await library.get(image.url, { range, 'if-range': '"other"' });
    const date = await library.get(image.url, { range, 'if-range': new Date().toUTCString() });
    expect([same.status, other.status, date.status]).toEqual([206, 200, 200]);
    await Promise.all([same, other, date].map(bytesOf));
  });

  it('redirect from an outdated hash or name to the current URL, and are purged', async () => {
    const asset = await library.add(Buffer.from('first'), { fileName: 'a.txt' });
    expect((await library.get(asset.url)).status).toBe(200);
    const next = await library.receive(Buffer.from('second'), 'a.txt');
    const values = [next.checksum, next.storageKey, next.size];
    await library.set(asset, 'checksum = $2, storage_key = $3, size = $4', values);
    const current = asset.url.replace(asset.checksum.slice(0, 12), next.checksum.slice(0, 12));
    await waitFor('the old URL redirects', async () => (await library.get(asset.url)).status === 302);
    const redirect = await library.get(asset.url);
    expect(redirect.headers.get('location')).toBe(current);
    expect(redirect.headers.get('cache-control')).toBe('no-store');
    expect(await (await library.get(current)).text()).toBe('second');
    const renamed = await library.get(current.replace('a.txt', 'b.txt'));
    expect([renamed.status, renamed.headers.get('location')]).toEqual([302, current]);
  });

  it('are 404 when asset, project, bytes or path do not exist', async () => {
    const gone = await library.add(Buffer.from('gone'), { fileName: 'gone.txt' });
    await rm(path.join(app().media.directory, 'objects', gone.storageKey));
    expect(await errorOf(await library.get(gone.url))).toEqual([404, 'media_not_found']);
    const other = await Library.open(app());
    const elsewhere = image.url.replace(library.project.slug, other.project.slug);
    expect(await errorOf(await library.get(elsewhere))).toEqual([404, 'media_not_found']);
    const nowhere = image.url.replace(library.project.slug, 'no-such-project');
    expect(await errorOf(await library.get(nowhere))).toEqual([404, 'project_not_found']);
    for (const url of [
      '/media/',
      '/media/a/b',
      `${image.url}/x`,
      image.url.replace(image.id, 'x'),
      '/media/%00/x/y/z',
      `${image.url}%`,
    ])
      expect(await errorOf(await library.get(url))).toEqual([404, 'not_found']);
    expect(await errorOf(await library.get(image.url, {}, 'POST'))).toEqual([405, 'method_not_allowed']);
  });

  it('are withheld until they are scanned, and when they are infected', async () => {
    for (const scanStatus of ['pending', 'infected']) {
      const asset = await library.add(Buffer.from(scanStatus), { scanStatus });
      expect(await errorOf(await library.get(asset.url))).toEqual([404, 'media_not_found']);
    }
  });

  it('are private with a signature only', async () => {
    const asset = await library.add(Buffer.from('private'), { fileName: 'p.txt', visibility: 'private' });
    const { urls } = app().composition.services.media;
    const target = { projectSlug: library.project.slug, ...asset };
    const expiresAt = new Date(Date.now() + 600_000);
    const signed = urls.signed(target, { expiresAt });
    const response = await library.get(signed);
    expect(await response.text()).toBe('private');
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=(?:59\d|600)$/);
    const other = await library.add(Buffer.from('other'), { fileName: 'p.txt', visibility: 'private' });
    const query = signed.slice(signed.indexOf('?'));
    const expired = urls.signed(target, { expiresAt: new Date(Date.now() - 1000) });
    const longer = signed.replace(/exp=\d+/, `exp=${Math.floor(expiresAt.getTime() / 1000) + 1}`);
    const refused = [
      asset.url,
      `${asset.url}?sig=x&exp=9999999999`,
      `${other.url}${query}`,
      expired,
      longer,
      `${signed}&w=10`,
      `${signed}&exp=9999999999`,
      `${signed}=`,
      signed.replace(/sig=.{3}/, 'sig=AAA'),
      `${image.url}${query}`,
    ];
    for (const url of refused)
      expect(await errorOf(await library.get(url))).toEqual([403, 'invalid_signature']);
  });

  it('keep a former signature valid after its secret was rotated', async () => {
    const { MediaSignatures } = await import('../../../src/access/media-signature.js');
    const [old, current] = [randomBytes(32), randomBytes(32)];
    const query = new URLSearchParams({ exp: '2000000000', w: '10' });
    new MediaSignatures([old]).sign('/media/x', query);
    const now = new Date('2030-01-01');
    expect(new MediaSignatures([current, old]).isValid('/media/x', query, now)).toBe(true);
    expect(new MediaSignatures([current]).isValid('/media/x', query, now)).toBe(false);
    expect(new MediaSignatures([current, old]).isValid('/media/x', query, new Date('2040-01-01'))).toBe(
      false,
    );
  });

  it('have the same headers from memory, and are withheld as soon as readers may not have them', async () => {
    const asset = await library.add(Buffer.from('once public'), { fileName: 'c.txt' });
    const own = ['date', 'x-request-id'];
    const headersOf = async (headers: Record<string, string>, method?: string) => {
      const response = await library.get(asset.url, headers, method);
      await bytesOf(response);
      const shown = [...response.headers].filter(([name]) => !own.includes(name));
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      return [response.status, new Map(shown)];
    };
    await headersOf({});
    const inMemory = await headersOf({});
    expect(inMemory).toEqual(await headersOf({ range: 'none' }));
    expect(await headersOf({}, 'HEAD')).toEqual(await headersOf({ range: 'none' }, 'HEAD'));
    const condition = { 'if-none-match': `"${asset.checksum}"` };
    expect(await headersOf(condition)).toEqual(await headersOf({ ...condition, range: 'none' }));
    await library.set(asset, "visibility = 'private'");
    await waitFor('the file is private', async () => (await library.get(asset.url)).status === 403);
    expect(await errorOf(await library.get(asset.url, condition))).toEqual([403, 'invalid_signature']);
  });

  it('cost no statement once they are known', async () => {
    await bytesOf(await library.get(image.url));
    const { statements } = await app().recordStatements(async () => {
      await bytesOf(await library.get(image.url));
    });
    expect(statements.filter((sql) => !sql.includes('notify_heartbeat') && sql.includes('media'))).toEqual(
      [],
    );
  });
});
