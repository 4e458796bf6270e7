import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.js';

/** Probes and metrics matter most during overload; event streams only wait. */
const isExempt = ({ method, url = '/' }: IncomingMessage): boolean =>
  /^\/(?:healthz|readyz|metrics)(?:\?|$)/.test(url) || (method === 'GET' && url.startsWith('/api/mcp/'));

const hasBody = ({ method }: IncomingMessage): boolean => method === 'POST' || method === 'PUT';

/**
 * Sheds load early: a fast 503 is cheaper than a slow timeout. Requests count once their body has arrived, so slow
 * senders take no slot.
 */
export class ConcurrencyLimit {
  #active = 0;

  constructor(private readonly maximum: number) {}

  /** Counts the request until its response closes; false at the limit. */
  enter({ request, response }: Pick<Exchange, 'request' | 'response'>): boolean {
    if (isExempt(request)) return true;
    if (this.#active >= this.maximum) return false;
    const start = (): void => {
      if (response.closed) return;
      this.#active += 1;
      response.once('close', () => {
        this.#active -= 1;
      });
    };
    if (hasBody(request) && !request.complete && !request.readableEnded) request.once('end', start);
    else start();
    return true;
  }
}
