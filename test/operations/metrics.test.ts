import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { createLogger } from '../../src/infrastructure/logger.js';
import { Metrics } from '../../src/infrastructure/metrics.js';
import { metricsListener } from '../../src/surfaces/http/probes.js';
import { openDesk, outcome, useApp, useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const metricsToken = 'a-token-of-the-monitoring';
const app = useOwnApp({ metricsToken });
const closed = useApp();

const scrape = () => app().request.get('/metrics').set('Authorization', `Bearer ${metricsToken}`);

describe('GET /metrics', () => {
  verifies('operation/metrics');

  it('returns 401 without the metrics token', async () => {
    for (const authorization of ['', 'Bearer wrong', `Basic ${metricsToken}`]) {
      const answer = await app().request.get('/metrics').set('Authorization', authorization);
      expect([...outcome(answer), answer.text.includes('headwater_')]).toEqual([401, 'unauthorized', false]);
    }
    const { status, headers } = await scrape();
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  });

  it('returns 404 on the port of the service when no token is set', async () => {
    const answer = await closed().request.get('/metrics').set('Authorization', `Bearer ${metricsToken}`);
    expect(outcome(answer)).toEqual([404, 'not_found']);
  });

  it('counts requests by surface, operation and status, and shows pools and queues', async () => {
    const desk = await openDesk(app());
    await desk.get('/entries');
    await desk.get('/entries?limit=0');
    const text = await waitFor('both requests are counted', async () => {
      const { text: shown } = await scrape();
      return shown.includes('status="200"} 1') && shown.includes('status="422"') && shown;
    });
    for (const status of [200, 422])
      expect(text).toContain(
        `headwater_requests_total{surface="rest",operation="entries.list",status="${String(status)}"} 1`,
      );
    expect(text).toContain(
      'headwater_request_duration_seconds_count{surface="rest",operation="entries.list"} 2',
    );
    for (const pool of ['write', 'key', 'read', 'job'])
      expect(text).toMatch(new RegExp(`headwater_pool_waiting\\{pool="${pool}"\\} \\d`));
    for (const queue of ['jobs', 'webhooks'])
      expect(text).toContain(`headwater_queue_depth{queue="${queue}"} 0`);
    expect(text).toMatch(/headwater_queue_depth\{queue="outbox"\} \d/);
    for (const queue of ['search', 'filters', 'health']) {
      expect(text).toMatch(new RegExp(`headwater_queue_depth\\{queue="${queue}"\\} \\d`));
      expect(text).toMatch(new RegExp(`headwater_queue_lag_seconds\\{queue="${queue}"\\} \\d`));
    }
    for (const queue of ['jobs', 'audit', 'outbox', 'webhooks', 'mails', 'edge'])
      expect(text).toMatch(new RegExp(`headwater_queue_lag_seconds\\{queue="${queue}"\\} \\d`));
    expect(text).toMatch(/headwater_search_lag_seconds\{index="entries"\} \d/);
    expect(text).toMatch(/headwater_queue_depth\{queue="audit"\} [1-9]/);
  });

  it('keeps the number of series when callers send unknown paths', async () => {
    const series = async () => (await scrape()).text.split('\n').length;
    const requestCount = async () => {
      const lines = (await scrape()).text.matchAll(/^headwater_requests_total\{(.*)\} (\d+)$/gm);
      const counts = [...lines].filter(([, labels = '']) => !labels.includes('/metrics'));
      return counts.reduce((sum, [, , count]) => sum + Number(count), 0);
    };
    const counted = (count: number) =>
      waitFor('all requests are counted', async () => (await requestCount()) >= count);
    const earlier = await requestCount();
    for (const path of ['/a', '/api/trpc/a', '/api/graphql/x', '/api/mcp/x']) await app().request.get(path);
    await counted(earlier + 4);
    const before = await series();
    for (let n = 0; n < 20; n += 1)
      for (const path of [`/p${n}`, `/api/trpc/op${n}`, `/api/graphql/x${n}`, `/api/mcp/x${n}`])
        await app().request.get(path);
    await counted(earlier + 84);
    expect(await series()).toBe(before);
  });
});

describe('The metrics port', () => {
  verifies('operation/metrics');

  it('serves the metrics of the service and the process, and nothing else', async () => {
    const metrics = new Metrics();
    metrics.watchProcess();
    const count = metrics.counter({
      name: 'headwater_cache_answers_total',
      help: 'Answers.',
      label: 'result',
    });
    count('hit');
    count('hit', 2);
    metrics.gauge({ name: 'headwater_broken', help: 'Cannot be read.', label: 'part' }, () =>
      Promise.reject(new Error('away')),
    );
    const server = http.createServer(metricsListener(metrics, undefined, createLogger('silent')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const request = supertest(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    try {
      const { text } = await request.get('/metrics');
      expect(text).toContain('headwater_cache_answers_total{result="hit"} 3');
      expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/);
      expect(text).toMatch(/process_resident_memory_bytes \d/);
      expect(outcome(await request.get('/'))).toEqual([404, 'not_found']);
    } finally {
      server.close();
    }
  });
});
