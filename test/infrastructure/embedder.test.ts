import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type http from 'node:http';
import { HttpEmbedder } from '../../src/infrastructure/embedding/embedder.js';
import { sendJson, startEmbeddingServer, type EmbeddingServer } from '../support/embedding-server.js';
import { verifies } from '../support/verifies.js';

const TIMEOUT_MS = 30_000;

describe('The client of an embedding server', () => {
  verifies('search/embedding');

  let server: EmbeddingServer;
  const embedder = (timeoutMilliseconds = TIMEOUT_MS): HttpEmbedder =>
    new HttpEmbedder({ url: server.url, model: 'small', key: 'k', timeoutMilliseconds });
  beforeAll(async () => {
    server = await startEmbeddingServer();
  });
  beforeEach(() => {
    server.behavior.reply = undefined;
  });
  afterAll(() => server.close());

  it('reads vectors in the order of the texts, and makes them of length 1', async () => {
    const [one, other] = await embedder().embed(['boat', 'bread']);
    expect(server.requests.at(-1)).toEqual({
      path: '/v1/embeddings',
      authorization: 'Bearer k',
      model: 'small',
    });
    const squares = one?.reduce((sum, value) => sum + value * value, 0);
    expect([one?.length, Number(squares?.toFixed(5))]).toEqual([16, 1]);
    expect([one?.indexOf(Math.max(...one)), other?.indexOf(Math.max(...other))]).toEqual([0, 1]);
  });

  const vectors = (...embeddings: unknown[]) => ({
    data: embeddings.map((embedding, index) => ({ index, embedding })),
  });
  it.each([
    ['has no list', {}, 'wrong_number'],
    ['is no object', 7, 'wrong_number'],
    ['has too few vectors', vectors([1, 2]), 'wrong_number'],
    ['has too many vectors', vectors([1], [1], [1]), 'wrong_number'],
    ['has vectors of different dimensions', vectors([1, 2], [1, 2, 3]), 'wrong_dimensions'],
    ['has a vector without numbers', vectors([], []), 'wrong_dimensions'],
    ['has a vector of too many dimensions', vectors(new Array(4097).fill(1), [1]), 'wrong_dimensions'],
    ['has text for numbers', vectors(['1'], ['2']), 'not_a_number'],
    ['has null for numbers, as NaN is sent', vectors([null], [1]), 'not_a_number'],
    ['has zeros only', vectors([0, 0], [1, 1]), 'no_direction'],
    ['has numbers whose length is infinite', vectors([1e200, 1e200], [1, 1]), 'no_direction'],
    [
      'names a text twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
      'wrong_index',
    ],
    ['names no text', { data: [{ index: -1, embedding: [1] }, null] }, 'wrong_index'],
  ])('refuses a reply that %s', async (_title, reply, reason) => {
    server.behavior.reply = (response) => {
      sendJson(response, 200, reply);
    };
    await expect(embedder().embed(['one', 'two'])).rejects.toMatchObject({ kind: 'unavailable', reason });
  });

  const raw: [string, (response: http.ServerResponse) => void, string, string][] = [
    ['is no JSON', (response) => response.end('{"data": [NaN'), 'unavailable', 'invalid_response'],
    [
      'is too large',
      (response) => {
        response.writeHead(200);
        response.end(Buffer.alloc(17 * 1024 * 1024, ' '));
      },
      'unavailable',
      'response_too_large',
    ],
    [
      'redirects',
      (response) => response.writeHead(307, { location: `${server.url}/embeddings` }).end(),
      'unavailable',
      'status_307',
    ],
    ['denies the key', (response) => response.writeHead(401).end(), 'unavailable', 'status_401'],
    ['is overloaded', (response) => response.writeHead(429).end(), 'unavailable', 'status_429'],
    ['refuses the text', (response) => response.writeHead(413).end(), 'refused', 'status_413'],
    ['ends the connection', (response) => response.destroy(), 'unavailable', 'unreachable'],
  ];
  it.each(raw)('fails when the server %s', async (_title, reply, kind, reason) => {
    server.behavior.reply = reply;
    await expect(embedder().embed(['one'])).rejects.toMatchObject({ kind, reason });
  });

  it('gives up a reply that does not come, and asks again only after a moment', async () => {
    const slow = embedder(300);
    server.behavior.reply = (response) => response.writeHead(200).write('{');
    await expect(slow.embed(['one'])).rejects.toMatchObject({ kind: 'unavailable', reason: 'timeout' });
    const before = server.texts.length;
    const next = await slow.embed(['two']).catch(({ reason }: { reason: string }) => reason);
    expect(['paused', 'timeout']).toContain(next);
    expect(server.texts.length - before).toBe(next === 'paused' ? 0 : 1);
  });
});
