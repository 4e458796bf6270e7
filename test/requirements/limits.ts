import type { Requirement } from './requirement.js';

/** Chapter 8, limits and headers; decision 2.5. */
export const limits = {
  'spec-8-headers': {
    source: 'spec 8',
    text: 'Delivery answers carry Cache-Control, Surrogate-Key and X-Request-Id.',
  },
  'spec-8-region': { source: 'spec 8', text: 'X-Service-Data-Region is present when it is configured.' },
  'spec-8-limit': { source: 'spec 8', text: 'limit is 25 by default and at most 100.' },
  'dec-2.5': {
    source: '2.5',
    text: 'Keys, users, anonymous addresses and logins are limited per minute, on every surface, never exceeded.',
  },
  'dec-2.5-headers': {
    source: '2.5',
    text: 'RateLimit-Policy and RateLimit on answers that are not cacheable and on every 429, with Retry-After.',
  },
  'dec-2.5-outage': {
    source: '2.5',
    text: 'Without the shared counter each process limits by itself and says so once.',
  },
  'hard-rate': {
    source: 'hardening 4',
    text: 'Of 300 requests at once over two processes exactly as many pass as the limit says.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
