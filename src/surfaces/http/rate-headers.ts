import type { ServerResponse } from 'node:http';
import type { RateState } from '../../procedures/index.js';

/** Tells a caller its limit and what is left of it (draft-ietf-httpapi-ratelimit-headers-11, decisions 2.5). */
export function showRate(response: ServerResponse, state: RateState): void {
  const { policy, limit, windowSeconds, remaining, resetSeconds } = state;
  response.setHeader('RateLimit-Policy', `"${policy}";q=${String(limit)};w=${String(windowSeconds)}`);
  response.setHeader('RateLimit', `"${policy}";r=${String(remaining)};t=${String(resetSeconds)}`);
}

/** Leaves them off an answer that others may be given a copy of: it would lie to them. */
export function hideRate(response: ServerResponse): void {
  response.removeHeader('RateLimit-Policy');
  response.removeHeader('RateLimit');
}
