import { describe, expect, it } from '@jest/globals';
import type { Telemetry } from '../../src/infrastructure/open-telemetry.js';
import { startBeside, startTestApp, type TestApp } from '../support/app.js';
import { openDesk, using, type Desk } from '../support/desk.js';
import { startEmbeddingServer } from '../support/embedding-server.js';
import { createEntry } from '../support/factories/content.js';
import { LogLines } from '../support/log-lines.js';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { telemetryTo } from '../support/telemetry.js';
import { waitFor } from '../support/wait-for.js';
import { createWebhook, openReceiver, type Receiver } from '../management/webhooks/receiver.js';

const lines = new LogLines();

let collector: OtlpReceiver;
let telemetry: Telemetry;
let hook: Receiver;

const app = using(async () => {
  collector = await openOtlpReceiver();
  hook = await openReceiver();
  telemetry = telemetryTo(lines, collector.url);
  const made = await startTestApp({ tracer: telemetry.tracer, logger: lines.logger });
  return {
    app: made,
    done: async () => {
      await made.close();
      await telemetry.close();
      collector.close();
      await hook.close();
    },
  };
});

/** The ended span of a request; those of its parts end before it. */
const spanOf = (requestId: unknown): Promise<ReceivedSpan> =>
  waitFor(`the span of ${String(requestId)} is received`, () =>
    collector.spans().find(({ attributes }) => attributes['headwater.request_id'] === requestId),
  ) as Promise<ReceivedSpan>;

const inTrace = (traceId: string): ReceivedSpan[] =>
  collector.spans().filter((span) => span.traceId === traceId);
const childrenOf = ({ traceId, spanId }: ReceivedSpan): ReceivedSpan[] =>
  inTrace(traceId).filter(({ parentSpanId }) => parentSpanId === spanId);

const sample = '0af7651916cd43dd8448eb211c80319c';
const readWith = (service: TestApp, { project }: Desk, traceparent: string) =>
  service.request
    .get(`${project.management}/entries`)
    .set({ Authorization: `Bearer ${project.keys.management}`, traceparent });

describe('A trace of a request', () => {
  it('has the request, its units of work, their statements and the webhook delivery', async () => {
    const desk = await openDesk(app());
    await createWebhook(app(), desk.project, { url: hook.url, events: ['entry.created'] });
    const { headers, status, body } = await desk.post('/entries', {
      contentTypeApiName: 'article',
      siteId: desk.project.siteId,
      fields: { title: 'A title that no span has' },
    });
    expect([status, (body as { error?: string }).error]).toEqual([201, undefined]);
    await app().composition.jobs.deliverWebhooks();
    const request = await spanOf(headers['x-request-id']);
    expect(request).toMatchObject({
      name: 'entries.create',
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/projects/{projectSlug}/entries',
        'http.response.status_code': 201,
        'headwater.surface': 'rest',
        'headwater.operation': 'entries.create',
      },
      resource: { 'service.name': 'headwater', 'deployment.environment.name': 'test' },
    });
    expect(request.parentSpanId ?? '').toBe('');
    const unit = childrenOf(request).find(
      ({ name, attributes }) => name === 'unit of work' && attributes['headwater.work.reads_only'] === false,
    );
    const statements = unit === undefined ? [] : childrenOf(unit);
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'insert_entry', 'write_changes_ae', 'COMMIT']),
    );
    const delivery = await waitFor('the span of the delivery is received', () =>
      statements.length === 0 || unit === undefined
        ? undefined
        : childrenOf(unit).find(({ name }) => name === 'webhook delivery'),
    );
    expect(delivery).toMatchObject({
      kind: 3,
      attributes: {
        'headwater.event': 'entry.created',
        'http.response.status_code': 204,
        'headwater.attempt': 1,
      },
    });
  });

  it('is not sent to webhook receivers', async () => {
    await waitFor('a webhook is delivered', () => hook.calls.length > 0);
    for (const { headers, body } of hook.calls) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(body.toLowerCase()).not.toContain('traceparent');
    }
  });

  it('goes on at the embedding server, whose call is a span of the request', async () => {
    const server = await startEmbeddingServer();
    const embedding = { url: server.url, model: 'small', timeoutMilliseconds: 5000 };
    const service = await startBeside(app(), { tracer: telemetry.tracer, search: { embedding } });
    const desk = await openDesk(service);
    const { headers } = await desk.get('/search?q=boat&mode=semantic');
    const request = await spanOf(headers['x-request-id']);
    const [, traceId, spanId] = server.requests[0]?.traceparent?.split('-') ?? [];
    expect(traceId).toBe(request.traceId);
    const call = await waitFor('the span of the call is received', () =>
      inTrace(request.traceId).find((span) => span.spanId === spanId),
    );
    expect(call).toMatchObject({ kind: 3 });
    await service.close();
    await server.close();
  });

  it('has no content, key, parameter or address of the request', async () => {
    const desk = await openDesk(app());
    const { headers } = await desk.get('/entries?q=a-search-that-no-span-has');
    await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Another title that no span has' },
    });
    await spanOf(headers['x-request-id']);
    const sent = collector.exports.map(({ body }) => body).join('\n');
    for (const text of [
      'that-no-span-has',
      'that no span has',
      desk.project.keys.management,
      desk.project.slug,
    ])
      expect(sent).not.toContain(text);
  });

  it('continues that of a valid traceparent header', async () => {
    const desk = await openDesk(app());
    const { headers } = await readWith(app(), desk, `00-${sample}-b7ad6b7169203331-01`);
    const { traceId, parentSpanId } = await spanOf(headers['x-request-id']);
    expect([traceId, parentSpanId]).toEqual([sample, 'b7ad6b7169203331']);
  });

  it('is not recorded if the caller records none', async () => {
    const desk = await openDesk(app());
    const silent = '1af7651916cd43dd8448eb211c80319c';
    await readWith(app(), desk, `00-${silent}-b7ad6b7169203331-00`);
    const { headers } = await desk.get('/entries');
    await spanOf(headers['x-request-id']);
    expect(inTrace(silent)).toEqual([]);
  });

  it.each([
    ['text', 'a trace of mine'],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['a span id of zeros', `00-${sample}-${'0'.repeat(16)}-01`],
    ['upper-case digits', `00-${sample.toUpperCase()}-b7ad6b7169203331-01`],
    ['the invalid version', `ff-${sample}-b7ad6b7169203331-01`],
    ['more than its version has', `00-${sample}-b7ad6b7169203331-01-more`],
    ['two values', `00-${sample}-b7ad6b7169203331-01, 00-${sample}-b7ad6b7169203331-01`],
    ['markup', '"><script>alert(1)</script>'],
    ['10,000 characters', `00-${'a'.repeat(10_000)}`],
  ])('starts a new trace when the traceparent header has %s', async (_, traceparent) => {
    const desk = await openDesk(app());
    const { headers, status } = await readWith(app(), desk, traceparent);
    expect(status).toBe(200);
    const { traceId, parentSpanId = '' } = await spanOf(headers['x-request-id']);
    expect([traceId === sample, parentSpanId]).toEqual([false, '']);
  });

  it('has failures by status and code, without messages', async () => {
    const desk = await openDesk(app());
    const { headers } = await desk.get('/entries/00000000-0000-4000-8000-000000000000');
    const request = await spanOf(headers['x-request-id']);
    expect([request.attributes['http.response.status_code'], request.status.code]).toEqual([404, 0]);
    const failed = inTrace(request.traceId).find(({ attributes }) => attributes['error.type'] !== undefined);
    expect(failed).toMatchObject({ name: 'unit of work', attributes: { 'error.type': 'entry_not_found' } });
  });

  it('is named in the log lines of the request', async () => {
    const desk = await openDesk(app());
    const { headers } = await desk.get('/entries');
    const { traceId, spanId } = await spanOf(headers['x-request-id']);
    expect(
      lines.of('request finished').find((line) => line.requestId === headers['x-request-id']),
    ).toMatchObject({
      traceId,
      spanId,
    });
  });

  it('leaves out probes', async () => {
    await app().request.get('/healthz');
    await app().request.get('/readyz');
    const { headers } = await app().request.get('/docs');
    await spanOf(headers['x-request-id']);
    expect(collector.spans().filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);
  });
});
