import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { send } from '../support/call.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, paragraphs, publish } from '../support/factories/content.js';
import { platform } from '../support/platform.js';

const app = useOwnApp();

async function countResults(work: () => Promise<unknown>) {
  const counts = app().composition.responseCache?.counts;
  if (counts === undefined) throw new Error('there is no cache');
  const before = { ...counts };
  await work();
  return {
    hits: counts.hits - before.hits,
    misses: counts.misses - before.misses,
    joined: counts.joined - before.joined,
    bypasses: counts.bypasses - before.bypasses,
  };
}

/** Waits for the notifications of all earlier commits, which arrive in order. */
async function notificationsArrived(): Promise<void> {
  const { coherence } = app().composition;
  const before = coherence.count;
  await app().rows(null, "SELECT pg_notify('headwater_purge', ' e:nobody')");
  while (coherence.count === before) await new Promise(setImmediate);
}

const read = ({ project }: Desk, suffix: string, key: string | undefined = undefined): Promise<Response> =>
  send(app(), { method: 'GET', path: `${project.delivery}${suffix}`, key });

async function article(desk: Desk, title: string, body?: object) {
  const entry = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title, ...(body !== undefined && { body }) },
  });
  return publish(app(), desk.project, entry.id);
}

const rename = async (desk: Desk, id: string, title: string): Promise<void> => {
  const { body } = await desk.get(`/entries/${id}`);
  await desk.put(`/entries/${id}`, { version: body.data.version, fields: { title } });
  await desk.post(`/entries/${id}/publish`, {});
};

const isKept = async (work: () => Promise<unknown>): Promise<boolean> =>
  (await countResults(work)).hits === 1;

describe('cached answers', () => {
  it('serves a cached response without a statement, with its own request id', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    const first = await read(desk, `/entries/${id}`);
    const { result, statements } = await app().recordStatements(() => read(desk, `/entries/${id}`));
    expect(statements).toEqual([]);
    expect(result.body).toEqual(first.body);
    expect(result.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    const own = (response: Response) => ({ ...response.headers, 'x-request-id': '', date: '' });
    expect(own(result)).toEqual(own(first));
  });

  it("returns the caller's request id with a cached response", async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    await read(desk, `/entries/${id}`);
    const requestId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
    const path = `${desk.project.delivery}/entries/${id}`;
    const response = await app().request.get(path).set('X-Request-Id', requestId);
    expect(response.headers['x-request-id']).toBe(requestId);
  });

  it('shares a cached response between equivalent requests, whatever their order, defaults, encoding and values of unknown parameters', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    await read(desk, `/entries/${id}?include=1&locale=en`);
    await read(desk, `/entries/${id}?include=1&locale=en&_=41&utm_source=y`);
    const seen = await countResults(async () => {
      await read(desk, `/entries/${id}?locale=en&include=1`);
      await read(desk, `/entries/${id}?utm_source=x&include=1&locale=%65n&_=42`);
      await read(desk, `/entries/${id}/?include=1&locale=en`, desk.project.keys.delivery);
    });
    expect(seen).toEqual({ hits: 3, misses: 0, joined: 0, bypasses: 0 });
  });

  it('renders a response once for a thousand concurrent callers', async () => {
    const desk = await openDesk(app());
    const readTogether = async () => {
      const { id } = await article(desk, 'Locks');
      return countResults(async () => {
        const answers = await Promise.all(Array.from({ length: 1000 }, () => read(desk, `/entries/${id}`)));
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      });
    };
    // Without a heartbeat of a busy database requests bypass the cache, which is right.
    let seen = await readTogether();
    for (let more = 10; seen.bypasses > 0 && more > 0; more -= 1) seen = await readTogether();
    expect(seen).toMatchObject({ misses: 1, bypasses: 0 });
    expect(seen.hits + seen.joined).toBe(999);
  });

  it('serves cached responses as 304 to matching ETags, and as br and gzip to clients that accept them', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks', paragraphs('Water runs downhill. '.repeat(100)));
    const path = `${desk.project.delivery}/entries/${id}`;
    const ask = (coding: string) => app().request.get(path).set('Accept-Encoding', coding);
    const { headers, text } = await ask('identity');
    const coded = async (coding: string): Promise<Response> => {
      for (;;) {
        const response = await ask(coding);
        if (response.headers['content-encoding'] !== undefined) return response;
      }
    };
    for (const coding of ['br', 'gzip'] as const) {
      const response = await coded(coding);
      expect(response.headers['content-encoding']).toBe(coding);
      expect(response.headers.vary).toContain('Accept-Encoding');
      expect(response.headers.etag).not.toBe(headers.etag);
      expect(response.text).toBe(text);
      const again = await ask(coding).set('If-None-Match', String(response.headers.etag));
      expect([again.status, again.text]).toEqual([304, '']);
    }
    const known = await ask('identity').set('If-None-Match', String(headers.etag));
    expect([known.status, known.headers.etag]).toEqual([304, headers.etag]);
    const head = await app().request.head(path).set('Accept-Encoding', 'identity');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([
      200,
      String(Buffer.byteLength(text)),
      undefined,
    ]);
  });

  it('does not serve the cached HEAD response of a sitemap to GET', async () => {
    const desk = await openDesk(app());
    const path = `${desk.project.delivery}/sitemap?format=json`;
    expect((await app().request.head(path)).status).toBe(200);
    for (let twice = 0; twice < 2; twice += 1)
      expect((await read(desk, '/sitemap?format=json')).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('caches a 404 until the entry exists', async () => {
    const desk = await openDesk(app());
    const draft = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'To come' },
    });
    const ask = () => read(desk, `/entries/${draft.id}`);
    expect((await ask()).status).toBe(404);
    expect(await isKept(ask)).toBe(true);
    await publish(app(), desk.project, draft.id);
    expect((await ask()).status).toBe(200);
  });

  it('does not cache previews, management responses and failures', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    const { preview, management } = desk.project.keys;
    const seen = await countResults(async () => {
      for (const key of [preview, management, 'hwd_nonsense'])
        for (let twice = 0; twice < 2; twice += 1) await read(desk, `/entries/${id}`, key);
      await desk.get(`/entries/${id}`);
    });
    expect(seen.hits).toBe(0);
    const refused = () => read(desk, '/content/article?limit=1000');
    expect((await refused()).status).toBe(422);
    expect((await countResults(refused)).hits).toBe(0);
  });
});

describe('a change', () => {
  it('purges responses with the changed entry and lists of its type, and nothing else', async () => {
    const desk = await openDesk(app());
    const [one, other] = [await article(desk, 'One'), await article(desk, 'Other')];
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await publish(app(), desk.project, author.id);
    const asks = {
      one: () => read(desk, `/entries/${one.id}`),
      other: () => read(desk, `/entries/${other.id}`),
      list: () => read(desk, '/content/article'),
      authors: () => read(desk, '/content/author'),
    };
    for (const ask of Object.values(asks)) await ask();
    await rename(desk, one.id, 'Changed');
    expect((await asks.one()).body.data.fields.title).toBe('Changed');
    expect((await asks.list()).body.data[0].fields.title).toBe('Changed');
    expect(await isKept(asks.other)).toBe(true);
    expect(await isKept(asks.authors)).toBe(true);
  });

  it('purges responses that link to a changed entry, even if the link was unresolved before', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await publish(app(), desk.project, author.id);
    const entry = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'By Ada', author: { _ref: author.id } },
    });
    await publish(app(), desk.project, entry.id);
    const nameOf = async (): Promise<unknown> =>
      (await read(desk, `/entries/${entry.id}?include=1`)).body.data.fields.author.fields?.name;
    expect(await nameOf()).toBe('Ada');
    const { body } = await desk.get(`/entries/${author.id}`);
    await desk.put(`/entries/${author.id}`, { version: body.data.version, fields: { name: 'Ada L.' } });
    await desk.post(`/entries/${author.id}/publish`, {});
    expect(await nameOf()).toBe('Ada L.');
    await desk.post(`/entries/${author.id}/unpublish`, {});
    expect(await nameOf()).toBeUndefined();
    await desk.post(`/entries/${author.id}/publish`, {});
    expect(await nameOf()).toBe('Ada L.');
  });

  it('purges every response of the project when its content model changes', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    await read(desk, `/entries/${id}`);
    await desk.put('/content-types/article', { name: 'Piece' });
    expect((await countResults(() => read(desk, `/entries/${id}`))).misses).toBe(1);
  });

  it('does not purge again when the writer receives its own notification', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Before');
    await desk.post(`/entries/${id}/unpublish`, {});
    // Rendered and cached again, perhaps before the notification.
    expect((await read(desk, `/entries/${id}`)).status).toBe(404);
    await notificationsArrived();
    expect((await countResults(() => read(desk, `/entries/${id}`))).hits).toBe(1);
  });

  it('does not cache a response whose entry changed while it was rendered', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Before');
    const { coherence, responseCache } = app().composition;
    const before = responseCache?.counts.misses;
    const waiting = read(desk, `/entries/${id}`);
    // While the response is in progress.
    while (responseCache?.counts.misses === before) await new Promise(setImmediate);
    coherence.purge([`e:${id}`]);
    expect((await waiting).status).toBe(200);
    expect((await countResults(() => read(desk, `/entries/${id}`))).hits).toBe(0);
  });
});

describe("the caller's permissions", () => {
  it('checks every cache hit for revoked keys, deactivated projects and blocked addresses', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    const key = await desk.newKey({ type: 'delivery' });
    const ask = () => read(desk, `/entries/${id}`, key.secret);
    await ask();
    expect(await isKept(ask)).toBe(true);
    await desk.delete(`/api-keys/${key.id}`);
    expect((await ask()).body.error).toBe('api_key_revoked');
    expect((await read(desk, `/entries/${id}`)).status).toBe(200);

    await desk.post('/ip-allowlist', { cidr: '127.0.0.1' });
    await desk.post('/ip-allowlist', { cidr: '192.0.2.1' });
    await desk.put('/ip-allowlist', { enabled: true, appliesTo: ['delivery'] });
    expect((await read(desk, `/entries/${id}`)).status).toBe(200);
    const rules = (await desk.get('/ip-allowlist')).body.data as { id: string; cidr: string }[];
    const own = rules.find(({ cidr }) => cidr.startsWith('127.0.0.1'));
    await desk.delete(`/ip-allowlist/${own?.id ?? ''}`);
    expect((await read(desk, `/entries/${id}`)).body.error).toBe('ip_not_allowed');

    await desk.put('/ip-allowlist', { enabled: false });
    expect((await read(desk, `/entries/${id}`)).status).toBe(200);
    await platform(app(), `DELETE /tenants/${desk.project.tenantSlug}`);
    expect((await read(desk, `/entries/${id}`)).body.error).toBe('tenant_inactive');
  });

  it('never serves a cached response of another project', async () => {
    const [own, foreign] = [await openDesk(app()), await openDesk(app())];
    const { id } = await article(own, 'Locks');
    await read(own, `/entries/${id}`);
    const refused = await read(own, `/entries/${id}`, foreign.project.keys.delivery);
    expect([refused.status, refused.body.error]).toEqual([403, 'wrong_project']);
  });

  it('keeps request headers out of cached responses', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, 'Locks');
    const path = `${desk.project.delivery}/entries/${id}`;
    const forged = await app()
      .request.get(path)
      .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher' });
    const honest = await app().request.get(path);
    expect(JSON.stringify([honest.body, honest.headers])).not.toContain('evil.example');
    expect(honest.body).toEqual(forged.body);
  });
});
