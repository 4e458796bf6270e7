import { describe, expect, it } from '@jest/globals';
import type { Telemetry } from '../../src/infrastructure/open-telemetry.js';
import { startBeside, startTestApp } from '../support/app.js';
import { using } from '../support/desk.js';
import { LogLines } from '../support/log-lines.js';
import { openOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.js';
import { telemetryTo } from '../support/telemetry.js';
import { waitFor } from '../support/wait-for.js';

const lines = new LogLines();
let collector: OtlpReceiver;
let telemetry: Telemetry;

const app = using(async () => {
  collector = await openOtlpReceiver();
  telemetry = telemetryTo(lines, collector.url);
  const made = await startTestApp({ tracer: telemetry.tracer, logger: lines.logger });
  return {
    app: made,
    done: async () => {
      await made.close();
      await telemetry.close();
      collector.close();
    },
  };
});

describe('The export of traces', () => {
  it('sends the configured headers', async () => {
    await app().request.get('/docs');
    await waitFor('an export is received', () => collector.exports.length > 0);
    expect(collector.exports[0]?.headers).toMatchObject({
      'x-collector-key': 'the key of the collector',
      'content-type': 'application/json',
    });
  });

  it('warns once while a collector refuses, and reports when it accepts again', async () => {
    let status = 400;
    const refusing = await openOtlpReceiver(() => status);
    const { tracer, close } = telemetryTo(lines, refusing.url);
    const before = lines.of('telemetry collector unavailable').length;
    for (const exports of [1, 2]) {
      tracer?.start({ name: 'a span', kind: 'internal' }).end();
      await waitFor('an export is refused', () => refusing.exports.length === exports);
    }
    status = 200;
    tracer?.start({ name: 'a span', kind: 'internal' }).end();
    await waitFor(
      'an export is accepted',
      () => lines.of('telemetry collector available again').length === 1,
    );
    expect(lines.of('telemetry collector unavailable').length - before).toBe(1);
    expect(JSON.stringify(lines.of('telemetry collector unavailable'))).not.toContain(
      'the key of the collector',
    );
    await close();
    refusing.close();
  });
});

describe('A collector that hangs', () => {
  it('delays neither spans nor the stop, and is sent no more than a bounded queue', async () => {
    const hung = await openOtlpReceiver(() => new Promise<number>(() => undefined));
    const { tracer, close } = telemetryTo(lines, hung.url);
    for (let count = 0; count < 20_000; count += 1) tracer?.start({ name: 'a span', kind: 'internal' }).end();
    await close();
    expect(hung.spans().length).toBeGreaterThan(0);
    expect(hung.spans().length).toBeLessThan(5000);
    hung.close();
  });

  it('delays no request', async () => {
    const hung = await openOtlpReceiver(() => new Promise<number>(() => undefined));
    const slow = telemetryTo(lines, hung.url);
    const service = await startBeside(app(), { tracer: slow.tracer });
    const { status } = await service.request.get('/docs');
    await waitFor('its span is sent', () => hung.exports.length > 0);
    expect([status, (await service.request.get('/docs')).status]).toEqual([200, 200]);
    await service.close();
    await slow.close();
    hung.close();
  });
});

describe('The export of metrics', () => {
  it('has those of /metrics under the same names', async () => {
    telemetry.watch(app().composition.metrics);
    for (const _ of [1, 2]) await app().request.get('/docs');
    type Sent = {
      resourceMetrics: {
        scopeMetrics: {
          metrics: {
            name: string;
            unit: string;
            sum?: { isMonotonic: boolean };
            gauge?: object;
            histogram?: { dataPoints: { count: number; explicitBounds: number[]; bucketCounts: number[] }[] };
          }[];
        }[];
      }[];
    };
    const metrics = await waitFor('an export with requests is received', () => {
      const last = collector.exports.findLast(({ path }) => path === '/v1/metrics');
      const found = (JSON.parse(last?.body ?? '{"resourceMetrics":[]}') as Sent).resourceMetrics[0]
        ?.scopeMetrics[0]?.metrics;
      return found?.some(({ histogram }) => (histogram?.dataPoints.length ?? 0) > 0) === true
        ? found
        : undefined;
    });
    const served = (await app().composition.metrics.render()).text.matchAll(/^# TYPE (\S+) /gm);
    expect(metrics?.map(({ name }) => name).sort()).toEqual([...served].map(([, name]) => name).sort());
    const byName = new Map(metrics?.map((one) => [one.name, one]));
    expect(byName.get('headwater_requests_total')?.sum?.isMonotonic).toBe(true);
    expect(byName.get('headwater_pool_open')?.gauge).toBeDefined();
    const durations = byName.get('headwater_request_duration_seconds');
    expect(durations?.unit).toBe('s');
    for (const { count, explicitBounds, bucketCounts } of durations?.histogram?.dataPoints ?? []) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      expect(bucketCounts.reduce((sum, one) => sum + one, 0)).toBe(count);
    }
  });
});
