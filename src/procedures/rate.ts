import { createHash } from 'node:crypto';
import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import { callerNetwork } from '../access/address-rules.js';
import type { Principal } from '../access/principal.js';
import type { Quota } from '../infrastructure/rate-counter.js';
import type { RateLimits } from '../infrastructure/rate-limits.js';
import type { Call } from './call.js';
import type { RateDefaults, RateServices, RateState } from './services.js';

const WINDOW_SECONDS = 60;
const ACCOUNT_FAILURES = 5;
const ACCOUNT_WINDOW_SECONDS = 900;

type Policy = Pick<RateState, 'policy'> & Quota;

interface RatedCall {
  readonly principal: Principal;
  readonly call: Call;
  readonly operation: OperationMeta;
}

function policyOf({ principal, call, operation }: RatedCall, defaults: RateDefaults): Policy {
  const windowSeconds = WINDOW_SECONDS;
  if (principal.kind === 'api_key') {
    const limit = principal.rateLimit ?? defaults[principal.type];
    return { policy: 'key', key: `key:${principal.id}`, limit, windowSeconds };
  }
  // A program of the user must not lock them out of the app.
  if (principal.kind === 'user' && principal.personalKeyId !== undefined)
    return {
      policy: 'key',
      key: `key:${principal.personalKeyId}`,
      limit: defaults.management,
      windowSeconds,
    };
  if (principal.kind === 'user')
    return { policy: 'user', key: `user:${principal.id}`, limit: defaults.session, windowSeconds };
  if (principal.kind === 'preview') {
    const { maker } = principal;
    return {
      policy: 'key',
      key: `preview:${maker.kind}:${maker.id}`,
      limit: defaults.preview,
      windowSeconds,
    };
  }
  const address = call.ip === null ? 'unknown' : callerNetwork(call.ip);
  const isLogin = operation.audience === 'session' && operation.action === 'create';
  return isLogin
    ? { policy: 'login', key: `login:${address}`, limit: defaults.login, windowSeconds }
    : { policy: 'address', key: `address:${address}`, limit: defaults.anonymous, windowSeconds };
}

function rateLimitError({ limit, windowSeconds, resetSeconds }: RateState): AppError {
  return new AppError('rate_limit_exceeded', { limit, windowSeconds, retryAfter: resetSeconds });
}

async function spend(call: Call, policy: Policy, limits: RateLimits): Promise<void> {
  const state: RateState = { ...policy, ...(await limits.spend(policy)) };
  // Until an account reaches its limit, the limit of the address is reported.
  const isAccount = policy.windowSeconds === ACCOUNT_WINDOW_SECONDS;
  if (!isAccount || !state.isAllowed) call.onRate?.(state);
  if (!state.isAllowed) throw rateLimitError(state);
}

/**
 * Counts a call (rule access/rate-limits), in memory if this process holds points of the limit. Over MCP only tool calls count;
 * CLI commands and hits of the response cache do not.
 * @throws AppError 429 `rate_limit_exceeded` with `details:{limit, windowSeconds, retryAfter}`
 */
export function spendRate(
  rates: RateServices | undefined,
  { principal, call, operation }: RatedCall,
): void | Promise<void> {
  if (rates === undefined || call.isCommand === true) return;
  if (call.surface === 'mcp' && call.tool === undefined) return;
  const policy = policyOf({ principal, call, operation }, rates.defaults);
  if (policy.limit <= 0) return;
  const held = rates.limits.spendHeld(policy);
  if (held === undefined) return spend(call, policy, rates.limits);
  call.onRate?.({ ...policy, ...held });
}

const failuresKey = (account: string): string =>
  `account:${createHash('sha256').update(account.trim().toLowerCase()).digest('base64url')}`;

/** Forgets the failed attempts of {@link loginAttempts}. */
export async function resetLoginAttempts(rates: RateServices | undefined, account: string): Promise<void> {
  await rates?.limits.reset(failuresKey(account));
}

export interface LoginAttempts {
  /** @throws AppError 429 `rate_limit_exceeded` after 5 failures in 15 minutes, also for unknown accounts */
  start(): Promise<void>;
  /** Resets the count. */
  succeed(): Promise<void>;
}

/** Attempts are counted before their outcome is known: concurrent ones cannot exceed the limit. */
export function loginAttempts(rates: RateServices | undefined, call: Call, account: string): LoginAttempts {
  if (rates === undefined || rates.defaults.login === 0 || call.isCommand === true)
    return { start: () => Promise.resolve(), succeed: () => Promise.resolve() };
  const key = failuresKey(account);
  const quota = { key, limit: ACCOUNT_FAILURES, windowSeconds: ACCOUNT_WINDOW_SECONDS };
  return {
    start: () => spend(call, { policy: 'login', ...quota }, rates.limits),
    succeed: () => resetLoginAttempts(rates, account),
  };
}
