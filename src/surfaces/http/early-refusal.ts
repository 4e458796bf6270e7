import { isRead } from './exchange.js';
import { STATUS_CODES } from 'node:http';
import { failureBody } from '../../../contracts/errors.js';
import { isUuid, newRequestId } from '../../infrastructure/ids.js';
import type { LoadShedding } from '../../infrastructure/http-refusal.js';
import type { HeaderList } from './answer.js';
import { overloaded, RETRY_AFTER_SECONDS } from './failure-answer.js';
import type { ConcurrencyLimit } from './limit-concurrency.js';
import type { RequestObserver } from './pipeline.js';

/** Refusals are logged together. */
const LOG_MS = 1000;

interface RequestLine {
  readonly method: string;
  readonly url: string;
}

/** A response from the cache takes no slot. */
const mayBeCached = ({ method, url }: RequestLine): boolean =>
  url.startsWith('/api/graphql/') || (isRead(method) && url.startsWith('/api/delivery/'));

const sentId = /\r\nx-request-id:[ \t]*([0-9a-f-]{36})[ \t]*\r\n/i;

/** The caller's if it is a UUID, else a new one. */
function requestIdOf(head: string): string {
  const sent = sentId.exec(head)?.[1] ?? '';
  return isUuid(sent) ? sent.toLowerCase() : newRequestId();
}

const body = JSON.stringify(failureBody(overloaded));

/** Status line and headers up to the blank line, without those of each response. */
function headOf(sharedHeaders: HeaderList): string {
  const headers = [
    ...sharedHeaders,
    ...['Cache-Control', 'no-store', 'Retry-After', String(RETRY_AFTER_SECONDS), 'Connection', 'close'],
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))],
  ];
  const lines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : [],
  );
  const start = `HTTP/1.1 ${String(overloaded.status)} ${STATUS_CODES[overloaded.status] ?? ''}`;
  return [start, ...lines].join('\r\n');
}

/** At the limit, answers the first request of a new connection as the pipeline would, without parsing its headers. */
export class EarlyRefusal implements LoadShedding {
  readonly #head: string;
  #unlogged = 0;

  constructor(
    private readonly limit: ConcurrencyLimit,
    private readonly observer: RequestObserver,
    sharedHeaders: HeaderList,
  ) {
    this.#head = headOf(sharedHeaders);
  }

  mayRefuse(): boolean {
    return this.limit.isNearlyFull;
  }

  refusalOf(request: RequestLine, head: string): string | undefined {
    if (mayBeCached(request) || !this.limit.refuses(request)) return undefined;
    this.observer.metrics.answered({ surface: 'none', operation: 'none', status: 503, seconds: 0 });
    this.#log();
    const own = `X-Request-Id: ${requestIdOf(head)}\r\nDate: ${new Date().toUTCString()}`;
    return `${this.#head}\r\n${own}\r\n\r\n${request.method === 'HEAD' ? '' : body}`;
  }

  #log(): void {
    this.#unlogged += 1;
    if (this.#unlogged > 1) return;
    setTimeout(() => {
      this.observer.logger.warn(
        { requests: this.#unlogged },
        'requests refused, the process is at its limit',
      );
      this.#unlogged = 0;
    }, LOG_MS).unref();
  }
}
