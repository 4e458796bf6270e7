import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Words of one line mean the same. */
const CONCEPTS = [
  ['boat', 'ship', 'vessel', 'schiff'],
  ['bread', 'loaf', 'bakery', 'brot'],
  ['password', 'login', 'kennwort'],
  ['rain', 'storm', 'weather'],
];
const OTHERS = 12;

/** Meaning counts more than what else a text says. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.5);
  const add = (index: number, weight: number): void => {
    vector[index % dimensions] = (vector[index % dimensions] ?? 0) + weight;
  };
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const concept = CONCEPTS.findIndex((words) => words.includes(word));
    if (concept >= 0) add(concept, 3);
    else
      add(CONCEPTS.length + ([...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % OTHERS), 0.2);
  }
  return vector;
}

/** What a server does with requests; a text in `refuse` makes it refuse the request that has it. */
interface EmbeddingBehavior {
  dimensions: number;
  refuse: string | undefined;
  /** Instead of vectors. */
  reply: ((response: http.ServerResponse, texts: readonly string[]) => void) | undefined;
}

export interface EmbeddingServer {
  /** As in `EMBEDDING_URL`. */
  readonly url: string;
  readonly behavior: EmbeddingBehavior;
  /** All that were sent. */
  readonly texts: string[];
  readonly requests: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly traceparent: string | undefined;
    readonly model: unknown;
  }[];
  close(): Promise<void>;
}

async function bodyOf(request: http.IncomingMessage): Promise<{ model: unknown; input: string[] }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as { model: unknown; input: string[] };
}

export function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts a server of the embeddings API of OpenAI whose vectors depend on the text only. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const behavior: EmbeddingBehavior = { dimensions: 16, refuse: undefined, reply: undefined };
  const texts: string[] = [];
  const requests: EmbeddingServer['requests'] = [];
  const server = http.createServer((request, response) => {
    void (async () => {
      const { model, input } = await bodyOf(request);
      texts.push(...input);
      const { authorization, traceparent } = request.headers;
      requests.push({
        path: request.url ?? '',
        authorization,
        traceparent: traceparent?.toString(),
        model,
      });
      const { dimensions, refuse, reply } = behavior;
      if (reply !== undefined) return reply(response, input);
      if (refuse !== undefined && input.some((text) => text.includes(refuse)))
        return sendJson(response, 400, { error: 'too long' });
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) }));
      return sendJson(response, 200, { data: data.reverse() });
    })().catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    behavior,
    texts,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
