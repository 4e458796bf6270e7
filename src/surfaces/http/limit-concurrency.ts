import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { beginExchange } from './exchange.js';
import { sendFailure, setFailureHeaders } from './send.js';

/** Probes and metrics are asked for most urgently when there is too much to do; agents' streams only wait. */
const isExempt = ({ method, url = '/' }: IncomingMessage): boolean =>
  /^\/(?:healthz|readyz|metrics)(?:\?|$)/.test(url) || (method === 'GET' && url.startsWith('/api/mcp/'));

const bringsBody = ({ method }: IncomingMessage): boolean => method === 'POST' || method === 'PUT';

function refuse(request: IncomingMessage, response: ServerResponse): void {
  beginExchange(request, response);
  const error = new AppError('service_unavailable', { reason: 'overloaded' });
  setFailureHeaders(response, error, { realm: 'headwater', isCredentialSent: false });
  sendFailure(response, error);
}

/**
 * Turns requests away with 503 while so many are being worked on: who would wait for too long is better told at
 * once, and costs little then. A request counts from when it has arrived in full, so that slow senders take nobody's
 * place.
 */
export function limitConcurrency(handler: RequestListener, most: number): RequestListener {
  let atWork = 0;
  const begin = (response: ServerResponse): void => {
    if (response.closed) return;
    atWork += 1;
    response.once('close', () => {
      atWork -= 1;
    });
  };
  return (request, response) => {
    if (isExempt(request)) {
      handler(request, response);
      return;
    }
    if (atWork >= most) {
      refuse(request, response);
      return;
    }
    if (bringsBody(request) && !request.complete && !request.readableEnded)
      request.once('end', () => {
        begin(response);
      });
    else begin(response);
    handler(request, response);
  };
}
