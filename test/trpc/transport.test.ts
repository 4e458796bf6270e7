import { beforeAll, describe, expect, it } from '@jest/globals';
import { createArticleTypes } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
});

const post = (procedure: string, body: string | Buffer) =>
  app()
    .request.post(`/api/trpc/${procedure}`)
    .set('Authorization', `Bearer ${project.keys.management}`)
    .set('Content-Type', 'application/json')
    .send(body as string);

const get = (procedure: string, input: string, key: string | undefined = project.keys.management) => {
  const call = app().request.get(`/api/trpc/${procedure}?input=${input}`);
  return key === undefined ? call : call.set('Authorization', `Bearer ${key}`);
};

const siteBody = (name: string) => `{"projectSlug":"${project.slug}","slug":"s","name":${name}}`;

describe('tRPC body', () => {
  verifies('limits/input-unaltered');

  it.each([
    { what: 'is not JSON', body: () => '{"projectSlug":', status: 400, error: 'invalid_json' },
    { what: 'contains NUL', body: () => siteBody('"a\\u0000"'), status: 422, error: 'validation_failed' },
    {
      what: 'contains a lone surrogate',
      body: () => siteBody('"\\ud800"'),
      status: 422,
      error: 'validation_failed',
    },
    {
      what: 'contains an inexact integer',
      body: () => siteBody('9007199254740993'),
      status: 422,
      error: 'validation_failed',
    },
  ])('that $what is rejected as on REST', async ({ body, status, error }) => {
    const answer = await post('sites.create', body());
    expect([answer.status, answer.body.error.data.error]).toEqual([status, error]);
    expect(answer.body.error.data.httpStatus).toBe(status);
  });

  it('nested 200 levels deep is rejected before it is parsed', async () => {
    const answer = await post('sites.create', siteBody(`${'['.repeat(200)}${']'.repeat(200)}`));
    expect([answer.status, answer.body.error.data.details.issues[0].code]).toEqual([422, 'too_deep']);
  });

  it('above one mebibyte is rejected', async () => {
    const answer = await post('sites.create', siteBody(`"${'x'.repeat(1_100_000)}"`));
    expect([answer.status, answer.body.error.data.error]).toEqual([413, 'payload_too_large']);
  });
});

describe('tRPC input in the URL', () => {
  it('passes the same gate', async () => {
    const input = encodeURIComponent(`{"projectSlug":"${project.slug}","q":"\\ud800"}`);
    const answer = await get('sites.list', input);
    expect([answer.status, answer.body.error.data.error]).toEqual([422, 'validation_failed']);
  });

  it('that is not UTF-8 is rejected', async () => {
    const answer = await get('sites.list', '%ff%fe');
    expect([answer.status, answer.body.error.data.error]).toEqual([422, 'validation_failed']);
  });
});

describe('tRPC input with an encoded or repeated name', () => {
  it.each(['%69nput', 'inpu%74', 'batch=1&%69%6e%70%75%74', 'input=%7B%7D&%69nput'])(
    'passes the same gate as %s',
    async (name) => {
      const input = encodeURIComponent(`{"projectSlug":"${project.slug}","q":"\\ud800"}`);
      const answer = await app()
        .request.get(`/api/trpc/sites.list?${name}=${input}`)
        .set('Authorization', `Bearer ${project.keys.management}`);
      expect([answer.status, answer.body.error.data.error]).toEqual([422, 'validation_failed']);
    },
  );

  it('is read when it is valid', async () => {
    const input = encodeURIComponent(JSON.stringify({ projectSlug: project.slug }));
    const answer = await app()
      .request.get(`/api/trpc/sites.list?%69nput=${input}`)
      .set('Authorization', `Bearer ${project.keys.management}`);
    expect(answer.status).toBe(200);
  });
});

describe('tRPC request', () => {
  it('may batch at most 50 calls', async () => {
    const names = (count: number) => Array.from({ length: count }, () => 'sites.list').join(',');
    const inputs = encodeURIComponent(
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 50 }, (_, index) => [index, { projectSlug: project.slug }])),
      ),
    );
    const many = await app()
      .request.get(`/api/trpc/${names(50)}?batch=1&input=${inputs}`)
      .set('Authorization', `Bearer ${project.keys.management}`);
    expect([many.status, many.body.length]).toEqual([200, 50]);
    const tooMany = await get(`${names(51)}`, '%7B%7D');
    expect([tooMany.status, tooMany.body.error.data.error]).toEqual([400, 'invalid_request']);
  });

  it('for a mutation by GET is rejected', async () => {
    const answer = await get('sites.create', encodeURIComponent(siteBody('"By GET"')));
    expect([answer.status, answer.body.error.data.error]).toEqual([405, 'method_not_allowed']);
  });

  it('gets a response with the request id that is never cached', async () => {
    const input = encodeURIComponent(JSON.stringify({ projectSlug: project.slug }));
    const { headers, status } = await get('sites.list', input);
    expect(status).toBe(200);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('with an invalid credential gets a challenge as on REST', async () => {
    const input = encodeURIComponent(JSON.stringify({ projectSlug: project.slug }));
    const refused = await get('sites.list', input, 'hwm_nonsense');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="trpc", error="invalid_token"',
    ]);
    const anonymous = await app().request.get(`/api/trpc/sites.list?input=${input}`);
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'Bearer realm="trpc"']);
    const wrongType = await get('sites.list', input, project.keys.delivery);
    expect([wrongType.status, wrongType.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="trpc", error="insufficient_scope"',
    ]);
  });
});
