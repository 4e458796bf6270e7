import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  createDeliveryClient,
  createManagementClient,
  HeadwaterError,
  image,
  livePreview,
  verifyWebhook,
  type ClientOptions,
  type PreviewChange,
} from '../../src/cli/client-package/index.js';
import {
  deliveryRoutes,
  fileOperations,
  managementRoutes,
} from '../../src/cli/client-package/operation-routes.js';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
}

/** A service that answers one request after the other with these responses, the last one again and again. */
function scripted(...responses: (Response | Error | (() => Response))[]) {
  const asked: Asked[] = [];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const next = responses.length > 1 ? responses.shift() : responses[0];
    asked.push({
      method: init.method ?? '',
      url,
      headers: new Headers(init.headers),
      body: init.body as string,
    });
    init.signal?.throwIfAborted();
    if (next instanceof Error) return Promise.reject(next);
    return Promise.resolve(typeof next === 'function' ? next() : next!.clone());
  };
  const options = {
    url: 'https://cms.example/',
    project: 'demo',
    key: 'hwd_key',
    fetch,
  } as unknown as ClientOptions;
  return { asked, options };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const pathOf = ({ url }: Asked): string => decodeURIComponent(url.replace('https://cms.example', ''));

describe('The routes of the client', () => {
  it('are those of every operation that sends and returns JSON', () => {
    expect(deliveryRoutes.delivery?.getEntry).toBe(
      'GET /api/delivery/projects/{projectSlug}/sites/{siteSlug}/entries/{id}',
    );
    expect(managementRoutes.entries?.list).toBe('GET /api/v1/projects/{projectSlug}/entries *');
    expect(fileOperations).toContain('media.upload');
    expect(managementRoutes.media?.upload).toBeUndefined();
    expect(managementRoutes.media?.update).toMatch(/^PUT /);
  });
});

describe('A call of the client', () => {
  it('writes lists, objects and filters as the service reads them, and leaves out what is not given', async () => {
    const { asked, options } = scripted(json({ data: [] }));
    await createDeliveryClient({ ...options, site: 'main' }).listContent({
      contentTypeApiName: 'article',
      fields: ['title', 'lead'],
      filter: { title: { in: ['a,b', 'c'] }, views: { gte: 3 } },
      where: { author: { name: { eq: 'Ada' } } },
      locale: undefined,
    } as never);
    expect(asked.map(pathOf)).toEqual([
      '/api/delivery/projects/demo/sites/main/content/article?fields=title,lead' +
        '&filter[title][in]=a\\,b,c&filter[views][gte]=3&where={"author":{"name":{"eq":"Ada"}}}',
    ]);
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer hwd_key');
  });

  it('sends the rest of the input of a change as its body, with the environment and one key for repeats', async () => {
    const busy = json({ error: 'service_unavailable', message: 'Busy.' }, 503);
    const { asked, options } = scripted(busy, new TypeError('no network'), json({ data: { id: 'x' } }));
    const client = createManagementClient({ ...options, environment: 'staging' });
    expect(await client.entries.publish({ id: 'a/b', locale: 'en' })).toEqual({ data: { id: 'x' } });
    expect(asked.map(pathOf)).toEqual(Array(3).fill('/api/v1/projects/demo/entries/a/b/publish'));
    expect(asked[0]?.url).toContain('a%2Fb');
    expect(asked.map(({ body }) => body)).toEqual(Array(3).fill('{"locale":"en"}'));
    const keys = new Set(asked.map(({ headers }) => headers.get('idempotency-key')));
    expect([keys.size, [...keys][0]?.length]).toEqual([1, 36]);
    expect(asked[0]?.headers.get('x-environment')).toBe('staging');
  });

  it('does not repeat a change without a key, nor a failure that stays', async () => {
    const busy = scripted(json({ error: 'service_unavailable', message: 'Busy.' }, 503));
    const changing = createManagementClient(busy.options).entries.update({
      id: 'x',
      version: 1,
      fields: {},
    });
    await expect(changing).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(busy.asked.length).toBe(1);
    const issues = { issues: [{ path: ['fields', 'title'], code: 'required', message: 'Missing.' }] };
    const refusal = { error: 'validation_failed', message: 'Not valid.', details: issues };
    const refused = scripted(json(refusal, 422, { 'x-request-id': 'r-1' }));
    const creating = createManagementClient(refused.options).entries.create({} as never);
    await expect(creating).rejects.toBeInstanceOf(HeadwaterError);
    await expect(creating).rejects.toMatchObject({
      code: 'validation_failed',
      status: 422,
      message: 'Not valid.',
      details: issues,
      requestId: 'r-1',
    });
    expect(refused.asked.length).toBe(1);
  });

  it('names a response that is not of the service, a network that is away, and a missing part of the path', async () => {
    const page = scripted(new Response('<html>', { status: 502 }));
    const reading = createDeliveryClient({ ...page.options, site: 'main', retries: 1 }).getTree();
    await expect(reading).rejects.toMatchObject({ code: 'unreadable', status: 502 });
    expect(page.asked.length).toBe(2);
    const away = scripted(new TypeError('no network'));
    const client = createDeliveryClient({ ...away.options, site: 'main', retries: 0 });
    await expect(client.getTree()).rejects.toMatchObject({ code: 'unreachable', status: 0 });
    await expect(client.getEntry({} as never)).rejects.toThrow('id is missing.');
  });

  it('ends when its signal says so, also between two attempts', async () => {
    const { asked, options } = scripted(json({ error: 'rate_limit_exceeded' }, 429, { 'retry-after': '30' }));
    const ending = new AbortController();
    const reading = createDeliveryClient({ ...options, site: 'main' }).getTree({}, { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('enough')), 20);
    await expect(reading).rejects.toThrow('enough');
    expect(asked.length).toBe(1);
  });

  it('asks for a kept response by its tag, and gives each caller a value that no other one has', async () => {
    const { asked, options } = scripted(
      json({ data: { title: 'One' } }, 200, { etag: '"a"' }),
      () => new Response(null, { status: 304 }),
    );
    const client = createDeliveryClient({ ...options, site: 'main' });
    const [first, second] = [await client.getEntry({ id: 'x' }), await client.getEntry({ id: 'x' })];
    expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"a"']);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    const without = scripted(json({ data: {} }, 200, { etag: '"a"' }));
    const keeping = createDeliveryClient({ ...without.options, site: 'main', kept: 0 });
    await keeping.getEntry({ id: 'x' });
    await keeping.getEntry({ id: 'x' });
    expect(without.asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, null]);
  });

  it('reads the items of all pages by cursor, or by number where the list has none', async () => {
    const cursors = scripted(
      json({ data: [1, 2], meta: { nextCursor: 'b', page: 1, pages: 2 } }),
      json({ data: [3], meta: { nextCursor: null, page: 2, pages: 2 } }),
    );
    const read: unknown[] = [];
    for await (const one of createManagementClient(cursors.options).entries.list.all({ limit: 2 }))
      read.push(one);
    expect(read).toEqual([1, 2, 3]);
    expect(cursors.asked.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual(['*', 'b']);
    const pages = scripted(
      json({ data: [1], meta: { page: 1, pages: 2 } }),
      json({ data: [2], meta: { page: 2, pages: 2 } }),
    );
    const items: unknown[] = [];
    for await (const one of createManagementClient(pages.options).apiKeys.list.all()) items.push(one);
    expect(items).toEqual([1, 2]);
    expect(pages.asked.map(({ url }) => new URL(url).searchParams.get('page'))).toEqual([null, '2']);
    const synced = scripted(
      json({ data: ['a'], meta: { nextCursor: 'x', hasMore: true } }),
      json({ data: ['b'], meta: { nextCursor: 'y', hasMore: false } }),
    );
    const changes: unknown[] = [];
    for await (const one of createDeliveryClient({ ...synced.options, site: 'main' }).sync.all())
      changes.push(one);
    expect(changes).toEqual(['a', 'b']);
  });
});

describe('The helpers of the client', () => {
  it('make attributes of a picture with the widths at which renditions are made', () => {
    const asset = { url: 'https://cms.example/media/demo/a/b/c.jpg', width: 1000, height: 500 };
    const shown = image(asset, { width: 400, quality: 75 });
    expect(shown).toMatchObject({ src: `${asset.url}?w=400&auto=format&q=75`, width: 400, height: 200 });
    expect(shown.srcset.split(', ').map((one) => one.split(' ')[1])).toEqual([
      '128w',
      '256w',
      '384w',
      '640w',
      '750w',
      '800w',
    ]);
    const cropped = image(asset, {
      width: 300,
      height: 300,
      fit: 'fill',
      format: 'webp',
      widths: [300, 600],
    });
    expect(cropped.srcset).toBe(
      `${asset.url}?w=300&h=300&fit=fill&fm=webp 300w, ${asset.url}?w=600&h=600&fit=fill&fm=webp 600w`,
    );
    expect(image(`${asset.url}?sig=x`, { width: 96 }).src).toBe(`${asset.url}?sig=x&w=96&auto=format`);
  });

  it('verify a delivery of a webhook, and refuse one that was changed, is old or is not signed', async () => {
    const key = Buffer.from('a key of thirty-two bytes length');
    const secret = `whsec_${key.toString('base64')}`;
    const now = Date.now();
    const at = String(Math.floor(now / 1000));
    const body = '{"event":"entry.published"}';
    const signature = createHmac('sha256', key).update(`m1.${at}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': at,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    };
    expect(await verifyWebhook(secret, { headers, body })).toBe(true);
    expect(await verifyWebhook(secret, { headers: new Headers(headers), body })).toBe(true);
    expect(await verifyWebhook(secret, { headers, body: `${body} ` })).toBe(false);
    expect(await verifyWebhook(secret, { headers, body }, { now: now + 301_000 })).toBe(false);
    expect(await verifyWebhook(`whsec_${Buffer.from('other').toString('base64')}`, { headers, body })).toBe(
      false,
    );
    for (const wrong of [
      {},
      { ...headers, 'webhook-signature': `v1a,${signature}` },
      { ...headers, 'webhook-timestamp': 'x' },
    ])
      expect(await verifyWebhook(secret, { headers: wrong, body })).toBe(false);
    expect(await verifyWebhook('whsec_?', { headers, body })).toBe(false);
  });

  it('listen to drafts, and ask for everything when the connection is back', () => {
    const listeners = new Map<string, (event: { data?: string }) => void>();
    const opened: string[] = [];
    let isClosed = false;
    class Source {
      constructor(address: URL) {
        opened.push(address.href);
      }
      addEventListener(type: string, listener: (event: { data?: string }) => void): void {
        listeners.set(type, listener);
      }
      close(): void {
        isClosed = true;
      }
    }
    const known = Object.getOwnPropertyDescriptor(globalThis, 'EventSource');
    Object.defineProperty(globalThis, 'EventSource', { value: Source, configurable: true });
    const seen: PreviewChange[] = [];
    const stop = livePreview({
      url: 'https://cms.example',
      project: 'demo',
      site: 'main',
      previewToken: 't k',
      onChange: (change) => seen.push(change),
    });
    if (known) Object.defineProperty(globalThis, 'EventSource', known);
    else Reflect.deleteProperty(globalThis, 'EventSource');
    const change = { entryId: 'x', locale: 'en', version: 2 };
    listeners.get('open')?.({});
    listeners.get('changed')?.({ data: JSON.stringify(change) });
    listeners.get('error')?.({});
    listeners.get('open')?.({});
    expect(opened).toEqual([
      'https://cms.example/api/delivery/projects/demo/sites/main/preview/stream?previewToken=t+k',
    ]);
    expect(seen).toEqual([change, { entryId: null, locale: null, version: null }]);
    stop();
    expect(isClosed).toBe(true);
  });
});
