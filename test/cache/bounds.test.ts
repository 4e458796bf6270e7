import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalog } from '../../src/content/catalog.js';
import { DeliveryTrace } from '../../src/features/publishing/delivery/index.js';
import { Coherence } from '../../src/infrastructure/coherence.js';
import {
  appRouter,
  boundOperations,
  PublishedReaders,
  type OperationScope,
} from '../../src/procedures/index.js';
import type { HttpAnswer } from '../../src/surfaces/http/answer.js';
import { AnswerKeys } from '../../src/surfaces/http/cache/answer-key.js';
import { ResponseCache } from '../../src/surfaces/http/cache/response-cache.js';
import { exchangeSettings } from '../support/pipeline.js';

const MEGABYTE = 1024 * 1024;
const catalog = {
  data: {
    tenant: { isActive: true },
    project: { id: 'p' },
    environment: { id: 'e' },
    addressRules: { isEnabled: false },
  },
} as Catalog;

/** A cache in front of a service that responds to every URL with 2 KB. */
function cacheOf(maximumBytes: number) {
  const coherence = new Coherence();
  const answer = (): HttpAnswer => ({
    status: 200,
    headers: [],
    body: { text: 'x'.repeat(2048), mediaType: 'application/json' },
    delivery: { trace: new DeliveryTrace(), catalog, call: { surface: 'rest' } } as OperationScope,
  });
  const cache = new ResponseCache({
    maximumBytes,
    coherence,
    readers: new PublishedReaders({ clock: () => new Date() } as never),
    answerKeys: new AnswerKeys(boundOperations(appRouter)),
    settings: exchangeSettings,
    serveFile: () => false,
    pipeline: { answer, handle: () => undefined },
  });
  const ask = async (url: string): Promise<void> => {
    coherence.onHeartbeat(performance.now());
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: `/api/delivery/projects/p/sites/s${url}` });
    const response = new ServerResponse(request);
    cache.handle(request, response);
    while (!response.writableEnded) await nextTurn();
  };
  return { cache, ask };
}

describe('the size limit of the cache', () => {
  it('bounds the cache under a hundred thousand different URLs', async () => {
    const { cache, ask } = cacheOf(MEGABYTE);
    let most = 0;
    for (let n = 0; n < 100_000; n += 1) {
      await ask(`/entries/${n}`);
      most = Math.max(most, cache.size.bytes);
    }
    expect(cache.counts.misses).toBe(100_000);
    expect(most).toBeLessThanOrEqual(MEGABYTE);
    expect(cache.size.answers).toBeGreaterThan(100);
  }, 120_000);

  it('caches one response for many equivalent URLs', async () => {
    const { cache, ask } = cacheOf(MEGABYTE);
    for (let n = 0; n < 20_000; n += 1) await ask(`/entries/one?junk=${n}&${n}`);
    expect(cache.counts).toMatchObject({ hits: 19_999, misses: 1 });
    expect(cache.size.answers).toBe(1);
    expect(cache.size.bytes).toBeLessThanOrEqual(MEGABYTE);
  });
});
