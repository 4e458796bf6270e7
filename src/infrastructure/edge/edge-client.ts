import { lazy } from '../lazy.js';
import type { Neighbour, NeighbourCall } from '../neighbours/neighbour.js';

export const edgeKinds = ['fastly', 'cloudflare', 'varnish', 'http'] as const;
type EdgeKind = (typeof edgeKinds)[number];

export interface EdgeSettings {
  readonly kind: EdgeKind;
  /** Chosen by the operator, so they may name private addresses. Each gets every purge. */
  readonly urls: readonly string[];
  /** Service of Fastly, zone of Cloudflare; empty for others. */
  readonly target: string;
  readonly token?: string | undefined;
}

/** The cache refused a purge, or did not understand it. */
class EdgeFailure extends Error {
  override readonly name = 'EdgeFailure';
}

interface PurgeRequest {
  readonly method: 'POST' | 'PURGE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Dialect {
  /** Keys of one request. */
  readonly atOnce: number;
  request(keys: readonly string[], settings: EdgeSettings): PurgeRequest;
}

const posted = (path: string, body: object, headers: PurgeRequest['headers']): PurgeRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const bearer = (token: string | undefined): PurgeRequest['headers'] =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const dialects: Readonly<Record<EdgeKind, Dialect>> = {
  fastly: {
    atOnce: 256,
    request: (keys, { target, token = '' }) =>
      posted(`/service/${target}/purge`, { surrogate_keys: keys }, { 'fastly-key': token }),
  },
  cloudflare: {
    atOnce: 30,
    request: (keys, { target, token }) =>
      posted(`/client/v4/zones/${target}/purge_cache`, { tags: keys }, bearer(token)),
  },
  // 4 KB: Varnish takes 8 KB in one header.
  varnish: {
    atOnce: 80,
    request: (keys, { token }) => ({
      method: 'PURGE',
      path: '/',
      headers: { xkey: keys.join(' '), ...bearer(token) },
    }),
  },
  http: {
    atOnce: 1000,
    request: (keys, { token }) => posted('', { surrogateKeys: keys }, bearer(token)),
  },
};

/** Bytes of a response that are read. */
const MOST_BYTES = 65_536;

/** Asks caches in front of the service to drop the responses that have any of some surrogate keys. */
export class EdgeClient {
  readonly #undici = lazy(() => import('undici'));

  constructor(
    private readonly settings: EdgeSettings,
    private readonly neighbour: Neighbour,
  ) {}

  /** Resolves when each cache has accepted every key. */
  async purge(keys: readonly string[]): Promise<void> {
    const { atOnce, request } = dialects[this.settings.kind];
    for (let start = 0; start < keys.length; start += atOnce) {
      const purge = request(keys.slice(start, start + atOnce), this.settings);
      await Promise.all(
        this.settings.urls.map((url) => this.neighbour.call((call) => this.#send(url, purge, call))),
      );
    }
  }

  /** Redirects are not followed: they would pass the token on. */
  async #send(
    url: string,
    { method, path, headers, body }: PurgeRequest,
    call: NeighbourCall,
  ): Promise<void> {
    const { request } = await this.#undici.get();
    const response = await request(url.replace(/\/$/, '') + path, {
      method: method as 'POST',
      headers,
      body: body ?? null,
      signal: call.signal,
    });
    await response.body.dump({ limit: MOST_BYTES });
    if (response.statusCode < 200 || response.statusCode > 299)
      throw new EdgeFailure(`status_${String(response.statusCode)}`);
  }
}
