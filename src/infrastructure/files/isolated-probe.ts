import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const resolve = createRequire(import.meta.url).resolve;

/** A parser that may spin or exhaust memory on hostile files. */
export interface Probe {
  /** npm package, whose path becomes `workerData.library`. */
  readonly library: string;
  /** Posts one message, its result. */
  readonly program: string;
  readonly file: string;
}

const MILLISECONDS = 10_000;
const HEAP_MEGABYTES = 256;

/** Runs a probe in a separate thread. Undefined if it fails, or takes longer than ten seconds. */
export function runProbe<T>({ library, program, file }: Probe): Promise<T | undefined> {
  const worker = new Worker(program, {
    eval: true,
    workerData: { library: resolve(library), file },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    stdout: true,
    stderr: true,
  });
  return new Promise<T | undefined>((settle) => {
    const done = (result: T | undefined): void => {
      clearTimeout(timer);
      settle(result);
      void worker.terminate();
    };
    const timer = setTimeout(done, MILLISECONDS, undefined);
    worker.once('message', done);
    worker.once('error', () => {
      done(undefined);
    });
    worker.once('exit', () => {
      done(undefined);
    });
  });
}
