import { withTimeLimit } from './time-limit.js';

/** `off` means that this process does not use the part; with `degraded` it is ready all the same. */
export type PartState = 'ok' | 'off' | 'degraded' | 'failing';

/** A rejection counts as `failing`, as does no result in time. */
type PartCheck = () => Promise<PartState> | PartState;

interface ReadinessReport {
  /** By part. */
  readonly checks: Readonly<Record<string, PartState>>;
  /** Parts and neighbours without which the process serves most requests. */
  readonly degraded: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

interface ReadinessOptions {
  /** After which a check of a part counts as `failing`, in milliseconds. */
  readonly limitMs?: number | undefined;
  /** Responds in time. */
  readonly neighbours?: { degraded(): Promise<string[]> };
  /** Added to the answer. */
  readonly details?: () => Readonly<Record<string, unknown>>;
}

/** Load balancers expect an answer within two seconds. */
const CHECK_MS = 1800;

const stateOf = async (check: PartCheck, limitMs: number): Promise<PartState> => {
  try {
    return await withTimeLimit(limitMs, Promise.resolve(check()));
  } catch {
    return 'failing';
  }
};

/** Concurrent probes share one check. */
export class Readiness {
  #pending: Promise<ReadinessReport> | undefined;

  constructor(
    private readonly parts: Readonly<Record<string, PartCheck>>,
    private readonly options: ReadinessOptions = {},
  ) {}

  check(): Promise<ReadinessReport> {
    this.#pending ??= this.#check().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #check(): Promise<ReadinessReport> {
    const { limitMs = CHECK_MS, neighbours, details } = this.options;
    const [states, away = []] = await Promise.all([
      Promise.all(
        Object.entries(this.parts).map(
          async ([name, check]) => [name, await stateOf(check, limitMs)] as const,
        ),
      ),
      neighbours?.degraded(),
    ]);
    const parts = states.filter(([, state]) => state === 'degraded').map(([name]) => name);
    return {
      checks: Object.fromEntries(states),
      degraded: [...parts, ...away],
      details: details?.() ?? {},
    };
  }
}

/** Bounds of what a start waits for. */
export interface StartWait {
  readonly noticeMs: number;
  readonly limitMs: number;
  /** Called once for each wait that takes longer than `noticeMs`. */
  onWait(waitingFor: string): void;
}

/** For callers without a log. */
export const silentWait: StartWait = { noticeMs: 5000, limitMs: 60_000, onWait: () => undefined };

/** @param waitingFor is called when it is reported, as it can become clearer during the wait */
export async function withNotice<T>(
  { noticeMs, onWait }: StartWait,
  waitingFor: () => string,
  work: Promise<T>,
): Promise<T> {
  const notice = setTimeout(() => {
    onWait(waitingFor());
  }, noticeMs);
  try {
    return await work;
  } finally {
    clearTimeout(notice);
  }
}

/**
 * {@link withNotice} with a limit.
 * @throws Error, in one line that names what the start waited for
 */
export function withinStart<T>(wait: StartWait, waitingFor: () => string, work: Promise<T>): Promise<T> {
  const failure = (): Error =>
    new Error(
      `The start gave up after ${String(wait.limitMs / 1000)} s of waiting for ${waitingFor()} ` +
        '(DATABASE_START_TIMEOUT_SECONDS).',
    );
  return withTimeLimit(wait.limitMs, withNotice(wait, waitingFor, work), failure);
}
