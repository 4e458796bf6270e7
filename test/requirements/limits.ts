import type { Requirement } from './requirement.js';

/** Limits and headers. */
export const limits = {
  'http/delivery-headers': {
    source: 'limits/values',
    text: 'Delivery answers carry Cache-Control, Surrogate-Key and X-Request-Id.',
  },
  'http/data-region-header': {
    source: 'limits/values',
    text: 'X-Service-Data-Region is present when it is configured.',
  },
  'limits/page-size': { source: 'limits/values', text: 'limit is 25 by default and at most 100.' },
  'access/rate-limits': {
    source: 'access/rate-limits',
    text: 'Keys, users, anonymous addresses and logins are limited per minute, on every surface, never exceeded.',
  },
  'access/rate-limit-headers': {
    source: 'access/rate-limits',
    text: 'RateLimit-Policy and RateLimit on answers that are not cacheable and on every 429, with Retry-After.',
  },
  'access/rate-limit-outage': {
    source: 'access/rate-limits',
    text: 'Without the shared counter each process limits by itself and says so once.',
  },
  'access/rate-limits-exact': {
    source: 'access/rate-limits',
    text: 'Of 300 requests at once over two processes exactly as many pass as the limit says.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
