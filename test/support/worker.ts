interface WorkerState {
  /** Relative to the project. */
  readonly suite: string;
  readonly closers: (() => Promise<unknown>)[];
}

/** Set by `shared-environment.js`; benchmarks use the support of the tests without it. */
const state = (): WorkerState | undefined =>
  (globalThis as Record<symbol, WorkerState | undefined>)[Symbol.for('headwater.worker')];

/** The path of the running test file. */
export const runningSuite = (): string => state()?.suite ?? 'no test file';

/** Closes something after the last test file of the worker. */
export function closeWithWorker(close: () => Promise<unknown>): void {
  state()?.closers.push(close);
}
