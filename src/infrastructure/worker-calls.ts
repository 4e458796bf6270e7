import { Worker } from 'node:worker_threads';
import { settled } from './promises.js';

/** A program of the build. It is beside the file that runs; tests run the sources, and their setup has built it. */
export const builtFile = (name: string): URL =>
  new URL(import.meta.url.endsWith('.ts') ? `../../dist/${name}.js` : `./${name}.js`, import.meta.url);

interface WorkerCallOptions {
  readonly file: URL;
  /** After this time the thread is stopped and the call fails. */
  readonly milliseconds: number;
  /** Further calls fail at once. */
  readonly maximumWaiting: number;
}

/** Why a call of a thread has no result. */
export class WorkerCallFailure extends Error {
  override readonly name = 'WorkerCallFailure';

  constructor(readonly reason: 'timeout' | 'overload' | 'crash') {
    super(`worker call failed: ${reason}`);
  }
}

const HEAP_MEGABYTES = 256;

/** Calls a function in a thread, one call after another. The thread starts with the first call. */
export class WorkerCalls<I, O> {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(private readonly options: WorkerCallOptions) {}

  /** @throws WorkerCallFailure */
  async call(input: I): Promise<O> {
    if (this.#waiting >= this.options.maximumWaiting) throw new WorkerCallFailure('overload');
    this.#waiting += 1;
    const result = this.#last.then(() => this.#run(input)).finally(() => (this.#waiting -= 1));
    this.#last = settled(result);
    return result;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#stop();
  }

  #run(input: I): Promise<O> {
    const worker = (this.#worker ??= this.#start());
    return new Promise<O>((resolve, reject) => {
      const onMessage = (output: O): void => {
        release();
        resolve(output);
      };
      const fail = (reason: WorkerCallFailure['reason']): void => {
        release();
        void this.#stop();
        reject(new WorkerCallFailure(reason));
      };
      const onExit = (): void => {
        fail('crash');
      };
      const timer = setTimeout(fail, this.options.milliseconds, 'timeout');
      const release = (): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('exit', onExit);
      };
      worker.once('message', onMessage).once('exit', onExit);
      worker.postMessage(input);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.options.file, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    // An error ends the thread, and its end fails the call.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // An idle thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
