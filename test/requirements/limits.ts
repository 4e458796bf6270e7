import type { Requirement } from './requirement.js';

/** Limits and headers. */
export const limits = {
  'spec-8-headers': {
    source: 'limits/values',
    text: 'Delivery answers carry Cache-Control, Surrogate-Key and X-Request-Id.',
  },
  'spec-8-region': {
    source: 'limits/values',
    text: 'X-Service-Data-Region is present when it is configured.',
  },
  'spec-8-limit': { source: 'limits/values', text: 'limit is 25 by default and at most 100.' },
  'dec-2.5': {
    source: 'access/rate-limits',
    text: 'Keys, users, anonymous addresses and logins are limited per minute, on every surface, never exceeded.',
  },
  'dec-2.5-headers': {
    source: 'access/rate-limits',
    text: 'RateLimit-Policy and RateLimit on answers that are not cacheable and on every 429, with Retry-After.',
  },
  'dec-2.5-outage': {
    source: 'access/rate-limits',
    text: 'Without the shared counter each process limits by itself and says so once.',
  },
  'hard-rate': {
    source: 'access/rate-limits',
    text: 'Of 300 requests at once over two processes exactly as many pass as the limit says.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
