import type { KeyType } from '../../contracts/resources/api-key.js';
import type { Allowance, RateLimits } from '../infrastructure/rate-limits.js';

/** Requests per minute by kind of caller (decisions 2.5); 0 is no limit. */
export type RateDefaults = Readonly<Record<KeyType | 'session' | 'anonymous' | 'login', number>>;

/** The default limits and the counter. Absent: nothing is limited. */
export interface RateServices {
  readonly defaults: RateDefaults;
  readonly limits: RateLimits;
}

/** The state of a caller's limit, as its headers report it. */
export interface RateState extends Allowance {
  /** What is counted. */
  readonly policy: 'key' | 'user' | 'address' | 'login';
  readonly limit: number;
  readonly windowSeconds: number;
}
