/** How one part of the process stands; `off` where this process does without it. */
export type PartState = 'ok' | 'off' | 'failing';

/** A look at one part; what it throws is a failure. */
export type PartCheck = () => Promise<PartState> | PartState;

/** How the process stands, and each of its parts. */
export interface ReadinessReport {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, PartState>>;
}

const stateOf = async (check: PartCheck): Promise<PartState> => {
  try {
    return await check();
  } catch {
    return 'failing';
  }
};

/** Whether the process can answer. Probes that come while one is being answered share its look. */
export class Readiness {
  #looking: Promise<ReadinessReport> | undefined;

  constructor(private readonly parts: Readonly<Record<string, PartCheck>>) {}

  look(): Promise<ReadinessReport> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<ReadinessReport> {
    const states = await Promise.all(
      Object.entries(this.parts).map(async ([name, check]) => [name, await stateOf(check)] as const),
    );
    return { isReady: states.every(([, state]) => state !== 'failing'), checks: Object.fromEntries(states) };
  }
}
