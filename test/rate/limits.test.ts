import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { verifies } from '../support/verifies.js';

const rateDefaults = {
  delivery: 6000,
  preview: 1200,
  management: 600,
  session: 600,
  anonymous: 3000,
  login: 10,
};
const app = useOwnApp({ trustedProxies: 1, rateDefaults });

async function limited(type: string, rateLimit?: number): Promise<{ desk: Desk; secret: string }> {
  const desk = await openDesk(app());
  const body = { type, permissions: [], ...(rateLimit && { rateLimit }) };
  return { desk, secret: (await desk.newKey(body)).secret };
}

describe('A key', () => {
  verifies('access/rate-limits', 'access/rate-limit-headers');

  it('returns the limit of a key in headers, and 429 beyond it', async () => {
    const { desk, secret } = await limited('management', 3);
    const own = desk.as(secret);
    const answers = [];
    for (let call = 0; call < 4; call += 1) answers.push(await own.get('/sites'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
      Array(4).fill('"key";q=3;w=60'),
    );
    for (const [index, { headers }] of answers.entries())
      expect(headers.ratelimit).toMatch(
        new RegExp(`^"key";r=${String(Math.max(0, 2 - index))};t=([1-9]|[1-5]\\d|60)$`),
      );
    const refused = answers[3]!;
    expect(outcome(refused)).toEqual([429, 'rate_limit_exceeded']);
    const retryAfter = Number(refused.headers['retry-after']);
    expect(refused.body.details).toEqual({ limit: 3, windowSeconds: 60, retryAfter });
    expect(refused.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['delivery', 6000],
    ['preview', 1200],
    ['management', 600],
  ])('limits a %s key to %d requests per minute', async (type, limit) => {
    const { desk, secret } = await limited(type);
    const answer = await app()
      .request.post(`/api/graphql/${desk.project.slug}`)
      .set('Authorization', `Bearer ${secret}`)
      .send({ query: '{ nothing }' });
    expect(answer.status).toBe(400);
    expect(answer.headers['ratelimit-policy']).toBe(`"key";q=${String(limit)};w=60`);
  });

  it('counts a request before it checks permissions and input', async () => {
    const { desk, secret } = await limited('management', 2);
    const own = desk.as(secret);
    expect((await own.post('/entries', { nonsense: true })).status).toBe(422);
    expect((await own.get('/entries/nothing')).status).toBe(404);
    expect((await own.post('/entries', { nonsense: true })).status).toBe(429);
    expect(outcome(await desk.as('hwm_wrong').get('/sites'))).toEqual([401, 'invalid_api_key']);
  });

  it('counts requests of a key on all surfaces together', async () => {
    const { desk, secret } = await limited('management', 3);
    const { slug } = desk.project;
    const own = { Authorization: `Bearer ${secret}` };
    const { request } = app();
    const input = encodeURIComponent(JSON.stringify({ projectSlug: slug }));
    expect((await desk.as(secret).get('/sites')).status).toBe(200);
    expect((await request.get(`/api/trpc/sites.list?input=${input}`).set(own)).status).toBe(200);
    expect(
      (await request.post(`/api/graphql/${slug}`).set(own).send({ query: '{ __typename }' })).status,
    ).toBe(200);
    const trpc = await request.get(`/api/trpc/sites.list?input=${input}`).set(own);
    expect([trpc.status, trpc.body.error.data.error]).toEqual([429, 'rate_limit_exceeded']);
    expect(trpc.headers['retry-after']).toBeDefined();
    const graphql = await request.post(`/api/graphql/${slug}`).set(own).send({ query: '{ __typename }' });
    expect(outcome(graphql)).toEqual([429, 'rate_limit_exceeded']);
    const delivery = await request.get(`${desk.project.delivery}/content/article`).set(own);
    expect(outcome(delivery)).toEqual([429, 'rate_limit_exceeded']);
    expect(delivery.headers['ratelimit-policy']).toBe('"key";q=3;w=60');
  });
});

describe('A tRPC batch', () => {
  verifies('access/rate-limits');

  const batchOf = (procedure: string, inputs: readonly object[]) => ({
    path: `/api/trpc/${inputs.map(() => procedure).join(',')}?batch=1`,
    inputs: JSON.stringify(Object.assign({}, inputs)),
  });
  const codes = (body: { error?: { data: { error: string } } }[]) =>
    body.map(({ error }) => error?.data.error ?? 'ok');

  it('counts every call of a key', async () => {
    const { desk, secret } = await limited('management', 3);
    const { path, inputs } = batchOf('sites.list', Array<object>(5).fill({ projectSlug: desk.project.slug }));
    const { body } = await app()
      .request.get(`${path}&input=${encodeURIComponent(inputs)}`)
      .set('Authorization', `Bearer ${secret}`);
    expect(codes(body).sort()).toEqual(['ok', 'ok', 'ok', 'rate_limit_exceeded', 'rate_limit_exceeded']);
    expect((await desk.as(secret).get('/sites')).status).toBe(429);
  });

  it('counts calls that are not permitted', async () => {
    const desk = await openDesk(app());
    const { secret } = await desk.newKey({ type: 'management', permissions: ['read'], rateLimit: 3 });
    const call = { projectSlug: desk.project.slug, slug: 'new', name: 'New' };
    const { path, inputs } = batchOf('sites.create', Array<object>(5).fill(call));
    const { body } = await app()
      .request.post(path)
      .set({ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' })
      .send(inputs);
    expect(codes(body).sort()).toEqual([
      ...Array<string>(3).fill('permission_denied'),
      ...Array<string>(2).fill('rate_limit_exceeded'),
    ]);
  });

  it('counts every login', async () => {
    const attempts = Array.from({ length: 12 }, (_none, index) => ({
      email: `batch${String(index)}@example.com`,
      password: 'wrong-password',
    }));
    const { path, inputs } = batchOf('sessions.login', attempts);
    const { body } = await app()
      .request.post(path)
      .set({ 'X-Forwarded-For': '198.51.100.77', 'Content-Type': 'application/json' })
      .send(inputs);
    expect(codes(body).sort()).toEqual([
      ...Array<string>(10).fill('invalid_credentials'),
      ...Array<string>(2).fill('rate_limit_exceeded'),
    ]);
  });
});

describe('Agents', () => {
  verifies('access/rate-limits', 'access/rate-limit-of-tools');

  it('counts only tool calls of agents, and reports the limit in the result', async () => {
    const { desk, secret } = await limited('management', 2);
    const call = (method: string, params: object = {}) =>
      app()
        .request.post(`/api/mcp/${desk.project.slug}`)
        .set({ Authorization: `Bearer ${secret}`, Accept: 'application/json, text/event-stream' })
        .send({ jsonrpc: '2.0', id: 1, method, params });
    const tool = () => call('tools/call', { name: 'list_sites', arguments: {} });
    for (let other = 0; other < 3; other += 1) expect((await call('tools/list')).status).toBe(200);
    const replies = [await tool(), await tool(), await tool()];
    expect(replies.map(({ status, body }) => [status, body.result.isError ?? false])).toEqual([
      [200, false],
      [200, false],
      [200, true],
    ]);
    expect(replies[2]!.body.result.structuredContent).toMatchObject({
      error: 'rate_limit_exceeded',
      details: { limit: 2, windowSeconds: 60 },
    });
    expect(replies[2]!.headers['ratelimit-policy']).toBe('"key";q=2;w=60');
    expect((await desk.as(secret).get('/sites')).status).toBe(429);
  });
});

describe('Answers that may be cached', () => {
  verifies('access/rate-limit-headers');

  it('omits the remaining limit from cacheable responses', async () => {
    const desk = await openDesk(app());
    const path = `${desk.project.delivery}/content/article`;
    const open = await app().request.get(path);
    expect([open.status, open.headers.ratelimit, open.headers['ratelimit-policy']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    const preview = await app().request.get(path).set('Authorization', `Bearer ${desk.project.keys.preview}`);
    expect(preview.headers['ratelimit-policy']).toBe('"key";q=1200;w=60');
    const missing = await app().request.get(`${desk.project.delivery}/content/nothing`);
    expect([missing.status, missing.headers['ratelimit-policy']]).toEqual([404, '"address";q=3000;w=60']);
  });
});

describe('Logins', () => {
  verifies('access/rate-limits');

  it('limits logins to ten per minute by IPv4 address and IPv6 network', async () => {
    const login = (from: string) =>
      app()
        .request.post('/api/v1/auth/login')
        .set('X-Forwarded-For', from)
        .send({
          email: `${from.replace(/[^a-z0-9]/g, '')}${String(Math.random())}@example.com`,
          password: 'wrong',
        });
    const attempts = async (address: (index: number) => string) => {
      const statuses = [];
      for (let index = 0; index < 11; index += 1) statuses.push((await login(address(index))).status);
      return statuses;
    };
    const tenThenNone = [...Array<number>(10).fill(401), 429];
    expect(await attempts(() => '198.51.100.20')).toEqual(tenThenNone);
    expect(await attempts((index) => `2001:db8::${String(index)}`)).toEqual(tenThenNone);
    expect((await login('198.51.100.21')).headers['ratelimit-policy']).toBe('"login";q=10;w=60');
  });
});
