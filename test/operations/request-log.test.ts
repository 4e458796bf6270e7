import { describe, expect, it } from '@jest/globals';
import { openDesk, useOwnApp } from '../support/desk.js';
import { LogLines } from '../support/log-lines.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const lines = new LogLines();
const app = useOwnApp({ logger: lines.logger });

/** Written when the connection has taken the whole response. */
const lineOf = async (requestId: unknown): Promise<Record<string, unknown>> =>
  (await waitFor('the request is logged', () =>
    lines.of('request finished').find((line) => line.requestId === requestId),
  )) ?? {};

describe('The log', () => {
  verifies('operation/request-log');

  it('logs one line per request with operation, caller, status and duration', async () => {
    const desk = await openDesk(app());
    const { slug, tenantId } = desk.project;
    const { headers } = await desk.get('/entries?q=private-search');
    const line = await lineOf(headers['x-request-id']);
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      msg: 'request finished',
      requestId: headers['x-request-id'],
      method: 'GET',
      path: `/api/v1/projects/${slug}/entries`,
      route: '/api/v1/projects/{projectSlug}/entries',
      status: 200,
      durationMs: expect.any(Number),
      surface: 'rest',
      operation: 'entries.list',
      tenantId,
      project: slug,
      principalId: expect.any(String),
    });
    expect(
      lines.of('request finished').filter((one) => one.requestId === headers['x-request-id']),
    ).toHaveLength(1);
  });

  it('logs the request id of a cached response', async () => {
    const { project, app: service } = await openDesk(app());
    const bearer = { Authorization: `Bearer ${project.keys.delivery}` };
    for (const ask of [
      () =>
        service.request
          .post(`/api/graphql/${project.slug}`)
          .send({ query: '{ articleCollection { total } }' }),
      () => service.request.get(`${project.delivery}/content/article`),
      () => service.request.get(`${project.delivery}/sitemap`),
    ]) {
      const { status, headers } = await ask().set(bearer);
      expect(status).toBe(200);
      expect(await lineOf(headers['x-request-id'])).toMatchObject({ status: 200, project: project.slug });
    }
  });

  it('logs every surface, rejected requests and unknown paths', async () => {
    const { project, app: service } = await openDesk(app());
    const bearer = { Authorization: `Bearer ${project.keys.management}` };
    const input = encodeURIComponent(JSON.stringify({ projectSlug: project.slug }));
    const accept = { Accept: 'application/json, text/event-stream' };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_sites', arguments: {} },
    };
    const graphql = { query: '{ articleCollection { total } }' };
    const asked = [
      [service.request.get(`/api/trpc/sites.list?input=${input}`).set(bearer), 'trpc', 'sites.list', 200],
      [service.request.get(`/api/trpc/no.such?input=${input}`).set(bearer), 'trpc', 'none', 404],
      [
        service.request.post(`/api/graphql/${project.slug}`).set(bearer).send(graphql),
        'graphql',
        '/api/graphql/',
        200,
      ],
      [
        service.request
          .post(`/api/mcp/${project.slug}`)
          .set({ ...bearer, ...accept })
          .send(call),
        'mcp',
        'list_sites',
        200,
      ],
      [service.request.get(`${project.management}/entries`), 'rest', 'entries.list', 401],
      [service.request.get('/no/such/path'), 'none', 'none', 404],
      [service.request.get('/healthz'), 'service', '/healthz', 200],
    ] as const;
    for (const [request, surface, operation, status] of asked) {
      const { headers } = await request;
      expect(await lineOf(headers['x-request-id'])).toMatchObject({ surface, operation, status });
    }
  });
});
