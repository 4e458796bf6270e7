import type { IncomingMessage } from 'node:http';
import type { HttpAnswer, HeaderList } from './answer.js';

/** Scripts must set credentials explicitly, so every origin may call. */
const crossOrigin: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'X-Request-Id,Location,ETag,WWW-Authenticate,Surrogate-Key,X-Ignored-Parameters,Retry-After,Idempotent-Replayed,RateLimit,RateLimit-Policy,Tus-Resumable,Upload-Offset,Upload-Length,Upload-Expires',
];

/** Security headers for data. `cors` and `helmet` could only set them on a response. */
const contentSecurity: HeaderList = [
  'Content-Security-Policy',
  "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'Referrer-Policy',
  'no-referrer',
  'Strict-Transport-Security',
  'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options',
  'nosniff',
];

export const DATA_REGION = 'X-Service-Data-Region';

/** @param dataRegion of the installation; that of the tenant wins */
export const sharedHeaders = (dataRegion: string | undefined): HeaderList => [
  ...(dataRegion === undefined ? [] : [DATA_REGION, dataRegion]),
  ...crossOrigin,
  ...contentSecurity,
];

/** The same headers with the region of a tenant. */
export function withDataRegion(headers: HeaderList, dataRegion: string): HeaderList {
  const others = headers.filter((_, index) => headers[index - (index % 2)] !== DATA_REGION);
  return [DATA_REGION, dataRegion, ...others];
}

/** Headers of a page: other origins cannot read it, and it has its own content security policy. */
export function pageHeaders(shared: HeaderList, policy: string): HeaderList {
  const headers = shared.filter((_, index) => !shared[index - (index % 2)]?.startsWith('Access-Control-'));
  headers[headers.indexOf('Content-Security-Policy') + 1] = policy;
  headers[headers.indexOf('Cross-Origin-Resource-Policy') + 1] = 'same-origin';
  return headers;
}

const UPLOADS = /^\/api\/v1\/projects\/[^/?]+\/media\/uploads(?:[/?]|$)/;

/** What a tus client asks for before it uploads. */
const TUS_SERVER = [
  'Tus-Resumable',
  '1.0.0',
  'Tus-Version',
  '1.0.0',
  'Tus-Extension',
  'expiration,termination',
];

/** Any `OPTIONS` request counts as a preflight. */
export function preflightAnswer({ headers, url = '' }: IncomingMessage): HttpAnswer {
  const requested = headers['access-control-request-headers'];
  return {
    status: 204,
    headers: [
      'Access-Control-Allow-Methods',
      'GET,HEAD,POST,PUT,PATCH,DELETE,QUERY',
      'Vary',
      'Access-Control-Request-Headers',
      ...(requested === undefined || requested === '' ? [] : ['Access-Control-Allow-Headers', requested]),
      ...(UPLOADS.test(url) ? TUS_SERVER : []),
      'Access-Control-Max-Age',
      '86400',
      'Content-Length',
      '0',
    ],
    body: null,
  };
}
