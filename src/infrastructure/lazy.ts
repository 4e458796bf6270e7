import { setImmediate as nextTurn } from 'node:timers/promises';
import { orUndefined } from './promises.js';

export interface Lazy<T> {
  /** Concurrent callers share one attempt; a failure is retried by the next call. */
  get(): Promise<T>;
  /** The value if {@link get} has made it; makes nothing. */
  current(): Promise<T | undefined>;
}

export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let begun: Promise<T> | undefined;
  return {
    get: () => {
      begun ??= make().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
    current: async () => orUndefined(begun),
  };
}

const STRETCH_MS = 10;

/** Divides a long computation, so that one request does not keep the event loop from others. */
export class Turns {
  #since = performance.now();

  /** Lets others run if the last pause was long ago. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < STRETCH_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Runs all steps of a computation, with pauses between them. */
export async function runInTurns<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  const turns = new Turns();
  for (;;) {
    const step = steps.next();
    await turns.pause();
    if (step.done === true) return step.value;
  }
}
