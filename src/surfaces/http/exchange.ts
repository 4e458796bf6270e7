import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateState, Call } from '../../procedures/index.js';
import type { Surface } from '../../access/principal.js';
import { isPreviewSession } from '../../access/signed-token.js';
import { isUuid, newRequestId } from '../../infrastructure/ids.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { HeaderList } from './answer.js';
import { clientAddress, requestOrigin, type TrustedProxies } from './client-address.js';
import { DATA_REGION, withDataRegion } from './shared-headers.js';

/** draft-ietf-httpapi-ratelimit-headers-11, rule access/rate-limits. */
export function rateHeaders(state: RateState): HeaderList {
  const { policy, limit, windowSeconds, remaining, resetSeconds } = state;
  return [
    'RateLimit-Policy',
    `"${policy}";q=${String(limit)};w=${String(windowSeconds)}`,
    'RateLimit',
    `"${policy}";r=${String(remaining)};t=${String(resetSeconds)}`,
  ];
}

/** Shared by all exchanges of a process. */
export interface ExchangeSettings {
  readonly logger: Logger;
  readonly trustedProxies: TrustedProxies;
  readonly sharedHeaders: HeaderList;
  /** Surrogate keys are also sent as `Cache-Tag`, for Cloudflare. */
  readonly sendsCacheTags?: boolean;
}

/** Recorded in log and metrics; `none` until known. */
interface RequestRecord {
  /** `rest`, `trpc`, `graphql`, `mcp`, or `service` for the process's paths. */
  surface: string;
  /** Name of the operation or agent tool. */
  operation: string;
  /** The path template. */
  route: string;
  tenantId?: string | null;
  project?: string | null;
  principalId?: string | null;
}

/** One HTTP exchange. What most cache hits do not need is computed on first use. */
/** Ignored parameters that a response names. */
const MOST_IGNORED = 10;
const LONGEST_NAME = 100;

/** Names are encoded as in a URL. Every operation takes the token of a preview session. */
function ignoredHeaders(names: readonly string[]): HeaderList | undefined {
  const ignored = names.filter((name) => name !== 'previewToken').sort();
  if (ignored.length === 0) return undefined;
  const shown = ignored
    .slice(0, MOST_IGNORED)
    .map((name) => encodeURIComponent(name.slice(0, LONGEST_NAME).toWellFormed()));
  return ['X-Ignored-Parameters', shown.join(',')];
}

export class Exchange {
  rate: RateState | undefined;
  /** Set if read before routing. */
  body: Buffer | undefined;
  /** URL of the metadata by which a client finds the authorization server (RFC 9728), for 401. */
  resourceMetadata: string | undefined;
  /** Names of query parameters without effect. */
  ignoredParameters: readonly string[] = [];
  #requestId: string | undefined;
  #record: RequestRecord | undefined;
  #isPrepared = false;
  #dataRegion: string | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly settings: ExchangeSettings,
  ) {}

  /** The caller's `X-Request-Id` if it is a UUID, else a new one. */
  get requestId(): string {
    if (this.#requestId !== undefined) return this.#requestId;
    const sent = this.request.headers['x-request-id'];
    return (this.#requestId = typeof sent === 'string' && isUuid(sent) ? sent.toLowerCase() : newRequestId());
  }

  get record(): RequestRecord {
    return (this.#record ??= { surface: 'none', operation: 'none', route: 'none' });
  }

  get ip(): string | null {
    return clientAddress(this.request, this.settings.trustedProxies);
  }

  /** With the region of the tenant, once it is known. */
  get sharedHeaders(): HeaderList {
    const { sharedHeaders } = this.settings;
    return this.#dataRegion === null ? sharedHeaders : withDataRegion(sharedHeaders, this.#dataRegion);
  }

  /** Surrogate keys among the headers of an answer, under the name that the edge knows them by. */
  cacheTags(headers: HeaderList): HeaderList {
    const at = this.settings.sendsCacheTags === true ? headers.indexOf('Surrogate-Key') : -1;
    return at < 0 ? [] : ['Cache-Tag', (headers[at + 1] ?? '').replaceAll(' ', ',')];
  }

  /** Says that a misspelt parameter had no effect (rule lists/filters). Undefined without one. */
  get ignoredHeaders(): HeaderList | undefined {
    return this.ignoredParameters.length === 0 ? undefined : ignoredHeaders(this.ignoredParameters);
  }

  setDataRegion(dataRegion: string | null): void {
    this.#dataRegion = dataRegion;
    if (dataRegion !== null && this.#isPrepared && !this.response.headersSent)
      this.response.setHeader(DATA_REGION, dataRegion);
  }

  /** Sets the shared headers, for surfaces that write the response. */
  prepareResponse(): void {
    this.#isPrepared = true;
    this.setHeaders(this.sharedHeaders);
    this.response.setHeader('X-Request-Id', this.requestId);
  }

  setRate(state: RateState): void {
    this.rate = state;
    if (this.#isPrepared && !this.response.headersSent) this.setHeaders(rateHeaders(state));
  }

  setHeaders(headers: HeaderList): void {
    for (let index = 0; index < headers.length; index += 2)
      this.response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
  }
}

/** GET, or HEAD, which is GET without the body. */
export const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

const PREVIEW_TOKEN = 'x-preview-token';
const PREVIEW_COOKIE = /(?:^|;\s*)headwater_preview=([^;\s]*)/;

/** Token of a preview in the header, or else in the cookie. */
export function previewTokenIn({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = headers[PREVIEW_TOKEN];
  if (header !== undefined) return header.toString();
  return headers.cookie === undefined ? undefined : PREVIEW_COOKIE.exec(headers.cookie)?.[1];
}

/** Token of a preview session: the query wins over header and cookie. That of a link in the query is none. */
export function previewSessionIn(
  request: Pick<IncomingMessage, 'headers'>,
  search: string,
): string | undefined {
  const named = search.includes('previewToken=') ? new URLSearchParams(search).get('previewToken') : null;
  if (named === null) return previewTokenIn(request);
  return isPreviewSession(named) ? named : undefined;
}

export function callOf(exchange: Exchange, surface: Surface): Call {
  const { request, record } = exchange;
  record.surface = surface;
  return {
    surface,
    authorization: request.headers.authorization,
    requestId: exchange.requestId,
    ip: exchange.ip,
    origin: () => requestOrigin(request, exchange.settings.trustedProxies),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    environment: request.headers['x-environment']?.toString(),
    confirmToken: request.headers['x-confirm-token']?.toString(),
    onIdentified: ({ principal, catalog, tool }) => {
      if (tool !== undefined) record.operation = tool;
      record.principalId = principal.kind === 'anonymous' ? null : principal.id;
      record.tenantId = catalog?.data.tenant.id ?? null;
      record.project = catalog?.data.project.slug ?? null;
      exchange.setDataRegion(catalog?.data.tenant.dataRegion ?? null);
    },
    onRate: (state) => {
      exchange.setRate(state);
    },
  };
}
