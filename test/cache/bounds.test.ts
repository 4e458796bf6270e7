import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import type { Catalog } from '../../src/content/catalog.js';
import { DeliveryTrace } from '../../src/features/delivery/index.js';
import { Coherence } from '../../src/infrastructure/coherence.js';
import {
  appRouter,
  boundOperations,
  DeliveryCallers,
  type OperationScope,
} from '../../src/procedures/index.js';
import { AnswerKeys } from '../../src/surfaces/http/cache/answer-key.js';
import { offerAnswer } from '../../src/surfaces/http/cache/cache-offer.js';
import { ResponseCache } from '../../src/surfaces/http/cache/response-cache.js';

const MEGABYTE = 1024 * 1024;
const catalog = {
  data: {
    tenant: { isActive: true },
    project: { id: 'p' },
    environment: { id: 'e' },
    addressRules: { isEnabled: false },
  },
} as Catalog;

/** A cache in front of a service that answers every address with 2 KB. */
function cacheOf(maximumBytes: number) {
  const coherence = new Coherence();
  const next: RequestListener = (_request, response) => {
    offerAnswer(response, { trace: new DeliveryTrace(), catalog } as OperationScope, 'rest');
    response.setHeader('Content-Type', 'application/json');
    response.end(Buffer.alloc(2048, 'x'));
  };
  const cache = new ResponseCache({
    maximumBytes,
    coherence,
    callers: new DeliveryCallers({} as never),
    answerKeys: new AnswerKeys(boundOperations(appRouter)),
    trustedProxies: [],
    next,
  });
  const ask = async (url: string): Promise<void> => {
    coherence.heardUpTo(performance.now());
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: `/api/delivery/projects/p/sites/s${url}` });
    const response = new ServerResponse(request);
    cache.handle(request, response);
    while (!response.writableEnded) await Promise.resolve();
  };
  return { cache, ask };
}

describe('the bound of the cache', () => {
  it('holds under a hundred thousand addresses that mean something else each', async () => {
    const { cache, ask } = cacheOf(MEGABYTE);
    let most = 0;
    for (let n = 0; n < 100_000; n += 1) {
      await ask(`/entries/${n}`);
      most = Math.max(most, cache.size.bytes);
    }
    expect(cache.counts.misses).toBe(100_000);
    expect(most).toBeLessThanOrEqual(MEGABYTE);
    expect(cache.size.answers).toBeGreaterThan(100);
  });

  it('holds under addresses that all mean the same, of which one answer is kept', async () => {
    const { cache, ask } = cacheOf(MEGABYTE);
    for (let n = 0; n < 20_000; n += 1) await ask(`/entries/one?junk=${n}&${n}`);
    expect(cache.counts).toMatchObject({ hits: 19_999, misses: 1 });
    expect(cache.size.answers).toBe(1);
    expect(cache.size.bytes).toBeLessThanOrEqual(MEGABYTE);
  });
});
