import type { IncomingMessage } from 'node:http';

/** Probes and metrics matter most during overload; event streams only wait, and files have a bounded queue. */
const isExempt = ({ method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  /^\/(?:healthz|readyz|metrics)(?:\?|$)/.test(url) ||
  (method === 'GET' &&
    (url.startsWith('/api/mcp/') || url === '/api/v1/me/events' || PREVIEW_STREAM.test(url))) ||
  url.startsWith('/media/');

const PREVIEW_STREAM = /^\/api\/delivery\/[^?]*\/preview\/stream(?:\?|$)/;

const hasBody = ({ method = '' }: IncomingMessage): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** Callers without a credential leave the rest to those with one. */
const ANONYMOUS_PART = 0.8;

/** Frees the slot; later calls do nothing. */
type Leave = () => void;

/**
 * Sheds load early: a fast 503 is cheaper than a slow timeout. Requests count from when their body has arrived until
 * their answer is made, so slow senders and slow readers take no slot.
 */
export class ConcurrencyLimit {
  #active = 0;
  readonly #maximumAnonymous: number;

  constructor(private readonly maximum: number) {
    this.#maximumAnonymous = Math.ceil(maximum * ANONYMOUS_PART);
  }

  /** Whether the slots left are only for callers with a credential. */
  get isNearlyFull(): boolean {
    return this.#active >= this.#maximumAnonymous;
  }

  /** Whether {@link enter} would refuse such a request, whatever its headers. */
  refuses(request: Pick<IncomingMessage, 'method' | 'url'>): boolean {
    return this.#active >= this.maximum && !isExempt(request);
  }

  /** Whether the request counts. */
  counts(request: IncomingMessage): boolean {
    return !isExempt(request);
  }

  /** Undefined at the limit. */
  enter(request: IncomingMessage): Leave | undefined {
    if (isExempt(request)) return () => undefined;
    const { authorization } = request.headers;
    if (this.#active >= (authorization === undefined ? this.#maximumAnonymous : this.maximum))
      return undefined;
    let isCounted = false;
    let hasLeft = false;
    const start = (): void => {
      if (hasLeft) return;
      isCounted = true;
      this.#active += 1;
    };
    if (hasBody(request) && !request.complete && !request.readableEnded) request.once('end', start);
    else start();
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      if (isCounted) this.#active -= 1;
    };
  }
}
