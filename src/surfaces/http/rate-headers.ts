import type { RateState } from '../../procedures/index.js';
import type { HeaderList } from './answer.js';

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
