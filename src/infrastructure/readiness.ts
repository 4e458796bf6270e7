import { withTimeLimit } from './time-limit.js';

/** `off` means that this process does not use the part. */
export type PartState = 'ok' | 'off' | 'failing';

/** A rejection counts as `failing`, as does no result in time. */
export type PartCheck = () => Promise<PartState> | PartState;

/** By part. */
export type ReadinessReport = Readonly<Record<string, PartState>>;

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

  /** @param limitMs after which a check of a part counts as `failing`, in milliseconds */
  constructor(
    private readonly parts: Readonly<Record<string, PartCheck>>,
    private readonly limitMs = CHECK_MS,
  ) {}

  check(): Promise<ReadinessReport> {
    this.#pending ??= this.#check().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #check(): Promise<ReadinessReport> {
    const states = await Promise.all(
      Object.entries(this.parts).map(
        async ([name, check]) => [name, await stateOf(check, this.limitMs)] as const,
      ),
    );
    return Object.fromEntries(states);
  }
}
