import { createHash } from 'node:crypto';
import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import { callerNetwork } from '../access/networks.js';
import type { Principal } from '../access/principal.js';
import type { Quota } from '../infrastructure/rate-counter.js';
import type { RateLimits } from '../infrastructure/rate-limits.js';
import type { Call } from './call.js';
import type { RateDefaults, RateServices, RateState } from './rate-state.js';

const WINDOW_SECONDS = 60;
const ACCOUNT_FAILURES = 5;
const ACCOUNT_WINDOW_SECONDS = 900;

type Policy = Pick<RateState, 'policy'> & Quota;

interface RatedCall {
  readonly principal: Principal;
  readonly call: Call;
  readonly operation: OperationMeta;
}

/** Whose limit a call spends, and how much that is. */
function policyOf({ principal, call, operation }: RatedCall, defaults: RateDefaults): Policy {
  const windowSeconds = WINDOW_SECONDS;
  if (principal.kind === 'api_key') {
    const limit = principal.rateLimit ?? defaults[principal.type];
    return { policy: 'key', key: `key:${principal.id}`, limit, windowSeconds };
  }
  if (principal.kind === 'user')
    return { policy: 'user', key: `user:${principal.id}`, limit: defaults.session, windowSeconds };
  const address = call.ip === null ? 'unknown' : callerNetwork(call.ip);
  const isLogin = operation.audience === 'session' && operation.action === 'create';
  return isLogin
    ? { policy: 'login', key: `login:${address}`, limit: defaults.login, windowSeconds }
    : { policy: 'address', key: `address:${address}`, limit: defaults.anonymous, windowSeconds };
}

/** The failure of a caller that asked too often. */
function exceeded({ limit, windowSeconds, resetSeconds }: RateState): AppError {
  return new AppError('rate_limit_exceeded', { limit, windowSeconds, retryAfter: resetSeconds });
}

async function spend(call: Call, policy: Policy, limits: RateLimits): Promise<void> {
  const state: RateState = { ...policy, ...(await limits.spend(policy)) };
  // An account's own limit is told where it is reached; until then the address's is the one to know.
  const isAccount = policy.windowSeconds === ACCOUNT_WINDOW_SECONDS;
  if (!isAccount || !state.isAllowed) call.tellRate?.(state);
  if (!state.isAllowed) throw exceeded(state);
}

/**
 * Counts a call against the limit of whoever calls (decisions 2.5). Of agents only tool calls count;
 * commands of this machine never do. Answers that need no admission, as from a cache, do not come here.
 * @throws AppError 429 `rate_limit_exceeded` with `details:{limit, windowSeconds, retryAfter}`
 */
export async function assertRate(
  rates: RateServices | undefined,
  { principal, call, operation }: RatedCall,
): Promise<void> {
  if (rates === undefined || call.isCommand === true) return;
  if (call.surface === 'mcp' && call.tool === undefined) return;
  const policy = policyOf({ principal, call, operation }, rates.defaults);
  if (policy.limit > 0) await spend(call, policy, rates.limits);
}

/**
 * Counts a call as {@link assertRate} does, if that can be done from memory.
 * @returns false where it cannot, and nothing was counted
 */
export function spendsFromMemory(
  rates: RateServices | undefined,
  { principal, call, operation }: RatedCall,
): boolean {
  if (rates === undefined) return true;
  const policy = policyOf({ principal, call, operation }, rates.defaults);
  if (policy.limit <= 0) return true;
  const allowance = rates.limits.spendHeld(policy);
  if (allowance === undefined) return false;
  call.tellRate?.({ ...policy, ...allowance });
  return true;
}

/** The attempts to log in as somebody. */
export interface LoginAttempts {
  /** @throws AppError 429 `rate_limit_exceeded` after 5 failures within 15 minutes, whether the account exists or not */
  begin(): Promise<void>;
  /** Forgets the failures before. */
  succeed(): Promise<void>;
}

/** Counts an attempt before it is known to fail, so that many at once cannot slip through. */
export function loginAttempts(rates: RateServices | undefined, call: Call, email: string): LoginAttempts {
  if (rates === undefined || rates.defaults.login === 0 || call.isCommand === true)
    return { begin: () => Promise.resolve(), succeed: () => Promise.resolve() };
  const account = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');
  const key = `account:${account}`;
  const quota = { key, limit: ACCOUNT_FAILURES, windowSeconds: ACCOUNT_WINDOW_SECONDS };
  return {
    begin: () => spend(call, { policy: 'login', ...quota }, rates.limits),
    succeed: () => rates.limits.forgive(key),
  };
}
