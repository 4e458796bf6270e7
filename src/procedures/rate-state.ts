import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import type { Allowance, RateLimits } from '../infrastructure/rate-limits.js';

/** Requests per minute (rule access/rate-limits); 0 means no limit. */
export type RateDefaults = Readonly<Record<KeyType | 'session' | 'anonymous' | 'login', number>>;

export interface RateServices {
  readonly defaults: RateDefaults;
  readonly limits: RateLimits;
}

/** State of a rate limit, as the response headers report it. */
export interface RateState extends Allowance {
  readonly policy: 'key' | 'user' | 'address' | 'login';
  readonly limit: number;
  readonly windowSeconds: number;
}
