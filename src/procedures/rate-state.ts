import type { KeyType } from '../../contracts/resources/api-key.js';
import type { Allowance, RateLimits } from '../infrastructure/rate-limits.js';

/** Requests per minute by who calls (decisions 2.5); 0 is no limit. */
export type RateDefaults = Readonly<Record<KeyType | 'session' | 'anonymous' | 'login', number>>;

/** What limits the service: the defaults and where it counts. Absent: nothing is limited. */
export interface RateServices {
  readonly defaults: RateDefaults;
  readonly limits: RateLimits;
}

/** What a caller is told of its limit. */
export interface RateState extends Allowance {
  /** Who is counted. */
  readonly policy: 'key' | 'user' | 'address' | 'login';
  readonly limit: number;
  readonly windowSeconds: number;
}
