import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../infrastructure/logger.js';
import type {
  DeliveryCaller,
  OperationScope,
  PublishedGate,
  RateState,
  ReadCall,
} from '../../procedures/index.js';
import { clientAddress, type TrustedProxies } from '../http/client-address.js';
import { requestIdOf } from '../http/exchange.js';
import { showRate } from '../http/rate-headers.js';
import { noteOf } from '../http/request-note.js';
import { handedCaller, offerAnswer } from '../http/cache/cache-offer.js';
import { sendWhole, wholeAnswer } from '../http/whole-answer.js';
import { publishedHeaders, sendCacheableFailure, sendPreview } from './delivery-headers.js';
import { respondWithFailure } from './error-response.js';
import type { RestOperation } from './operation.js';
import type { RouteMatch, RouteTable } from './route-table.js';

/** What the reads work with. */
export interface PublishedReadsParts {
  readonly routes: RouteTable<RestOperation>;
  readonly gate: PublishedGate;
  readonly logger: Logger;
  readonly trustedProxies: TrustedProxies;
  /** What every answer is sent with, names and values in turns. */
  readonly commonHeaders: readonly string[];
  /** Sets the same on a response whose headers are set one by one, and its id. */
  prepare(request: IncomingMessage, response: ServerResponse): void;
}

const DELIVERY = '/api/delivery/';

/** A read as the gate sees it; its address is looked at only where it matters. */
class IncomingRead implements ReadCall {
  readonly surface = 'rest';
  rate: RateState | undefined;

  constructor(
    private readonly exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
    private readonly proxies: TrustedProxies,
    readonly requestId: string,
  ) {}

  get caller(): DeliveryCaller | undefined {
    return handedCaller(this.exchange.request);
  }

  get authorization(): string | undefined {
    return this.exchange.request.headers.authorization;
  }

  get ip(): string | null {
    return clientAddress(this.exchange.request, this.proxies);
  }

  get userAgent(): string | null {
    return this.exchange.request.headers['user-agent']?.slice(0, 500) ?? null;
  }

  onRecognised({ principal, catalog }: Pick<OperationScope, 'principal' | 'catalog'>): void {
    const note = noteOf(this.exchange.response);
    note.principalId = principal.kind === 'anonymous' ? null : principal.id;
    note.tenantId = catalog?.data.tenant.id ?? null;
    note.project = catalog?.data.project.slug ?? null;
  }

  tellRate(state: RateState): void {
    this.rate = state;
  }
}

/** One read on its way. */
interface Read {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: IncomingRead;
  readonly scope: OperationScope;
}

/**
 * Reads of published content for callers who are known from memory: nothing is waited for but the content, and the
 * answer is made as a value and sent at once. The outcome is that of the long way, which takes every other call.
 */
export class PublishedReads {
  constructor(private readonly parts: PublishedReadsParts) {}

  /** @returns whether it answers */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith(DELIVERY)) return false;
    const { routes, gate, trustedProxies } = this.parts;
    const at = url.indexOf('?');
    const match = routes.find('GET', at < 0 ? url : url.slice(0, at));
    if (match === undefined || 'allowed' in match || !match.target.isWholeRead) return false;
    const call = new IncomingRead({ request, response }, trustedProxies, requestIdOf(request));
    const scope = gate.admit(match.target.meta, call, match.parameters.projectSlug ?? '');
    if (scope === undefined) return false;
    this.#answer({ request, response, call, scope }, match, at < 0 ? '' : url.slice(at + 1)).catch(
      (error: unknown) => response.destroy(error as Error),
    );
    return true;
  }

  async #answer(
    read: Read,
    { target, parameters }: RouteMatch<RestOperation>,
    search: string,
  ): Promise<void> {
    const { request, response, call, scope } = read;
    // Whatever is sent from here on bears this id.
    request.headers['x-request-id'] = call.requestId;
    const note = noteOf(response);
    note.surface = 'rest';
    note.operation = target.name;
    note.route = target.rest.path;
    note.requestId = call.requestId;
    offerAnswer(response, scope, 'rest');
    try {
      const output = await target.read(scope, { parameters, search });
      if (scope.trace.isPreview) {
        this.#prepare(read);
        sendPreview(response, scope, output);
        return;
      }
      const headers = [...this.parts.commonHeaders, ...publishedHeaders(scope)];
      sendWhole(request, response, wholeAnswer(JSON.stringify(output), headers));
    } catch (error) {
      this.#fail(read, error);
    }
  }

  #fail(read: Read, error: unknown): void {
    const { request, response, scope } = read;
    if (!response.headersSent) this.#prepare(read);
    if (!response.headersSent && sendCacheableFailure(response, scope, error)) return;
    respondWithFailure({ request, response, logger: this.parts.logger }, error);
  }

  #prepare({ request, response, call }: Read): void {
    this.parts.prepare(request, response);
    if (call.rate !== undefined) showRate(response, call.rate);
  }
}
