import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { DamagedFile } from '../files/file-window.js';
import { ComplexFile, type FileAspect } from '../files/complex-file.js';
import type { SanitizedDrawing } from '../files/svg/sanitize-svg.js';
import type { ImageWork } from './image-work.js';
import { orUndefined } from '../promises.js';
import type { ImageFacts, ImageHeader } from '../images/inspect-image.js';
import type { ImageRecipe } from '../images/render-image.js';

export interface ImageCall {
  readonly id: number;
  readonly task: keyof ImageWork;
  readonly parameters: readonly unknown[];
}

export type ImageReply = { readonly id: number } & (
  | { readonly isStarted: true }
  | { readonly result: unknown }
  | { readonly damage: string }
  | { readonly complexity: { readonly aspect: FileAspect; readonly maximum: number } }
  | { readonly failure: string }
);

interface Limits {
  /**
   * Of processor time, from the start of a call in the process: a busy machine refuses nothing that an idle one takes.
   * Where the system does not tell processor time, the clock counts.
   */
  readonly milliseconds?: Partial<Record<keyof ImageWork, number>>;
  /** Until the call starts: the process itself may have to start. */
  readonly startMilliseconds?: number;
  /** What a call is refused with that takes longer. */
  readonly refusal?: () => Error;
}

/** Longer than sharp's own limit: the process hangs, or waits for a processor. */
const CALL_MS = 30_000;
const START_MS = 30_000;
/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of a process in milliseconds; undefined where the system does not tell it. */
async function processorMs(pid = 0): Promise<number | undefined> {
  const stat = await orUndefined(readFile(`/proc/${String(pid)}/stat`, 'utf8'));
  // The name of the program, in parentheses, may contain spaces.
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13) ?? [];
  return user === undefined ? undefined : (Number(user) + Number(system)) * TICK_MS;
}

/** The process ended, hung, or failed for another reason than the picture. */
export class ImageProcessFailure extends Error {
  override readonly name = 'ImageProcessFailure';
}

interface Waiting {
  start(): void;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Works on pictures in a separate process, whose lower priority lets requests go first. It starts with the first
 * picture, starts again after a crash, and ends with this process.
 */
export class ImageProcess implements ImageWork {
  #child: ChildProcess | undefined;
  #lastId = 0;
  readonly #calls = new Map<number, Waiting>();

  /** A call beyond its limit ends the process, with all its calls. */
  constructor(
    private readonly program: URL,
    private readonly limits: Limits = {},
  ) {}

  /** Undefined until it has started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async render(file: string, recipe: ImageRecipe): Promise<Buffer> {
    return bufferOf(await this.#call<Uint8Array>('render', [file, recipe]));
  }

  readHeader(file: string): Promise<ImageHeader> {
    return this.#call('readHeader', [file]);
  }

  inspect(file: string): Promise<ImageFacts> {
    return this.#call('inspect', [file]);
  }

  async sanitize(file: string): Promise<SanitizedDrawing> {
    const drawing = await this.#call<SanitizedDrawing>('sanitize', [file]);
    return { ...drawing, bytes: bufferOf(drawing.bytes) };
  }

  /** @throws DamagedFile, ComplexFile, ImageProcessFailure */
  #call<T>(task: keyof ImageWork, parameters: readonly unknown[]): Promise<T> {
    const child = (this.#child ??= this.#start());
    const call: ImageCall = { id: (this.#lastId += 1), task, parameters };
    return new Promise<T>((resolve, reject) => {
      const end = (): void => {
        child.kill('SIGKILL');
      };
      let timer = setTimeout(end, this.limits.startMilliseconds ?? START_MS);
      const stop = (): void => {
        clearTimeout(timer);
        this.#calls.delete(call.id);
      };
      const waiting: Waiting = {
        start: () => {
          clearTimeout(timer);
          timer = setTimeout(end, CALL_MS);
          void this.#limitWork(child, call);
        },
        resolve: (result) => {
          stop();
          resolve(result as T);
        },
        reject: (error) => {
          stop();
          reject(error);
        },
      };
      this.#calls.set(call.id, waiting);
      child.ref();
      child.channel?.ref();
      // A failure to send ends the process, which fails the call.
      child.send(call, () => undefined);
    });
  }

  /** Refuses the call, and ends the process, once it has taken the processor time that it may. */
  async #limitWork(child: ChildProcess, { id, task }: ImageCall): Promise<void> {
    const limit = this.limits.milliseconds?.[task];
    if (limit === undefined) return;
    const startedAt = performance.now();
    const before = await processorMs(child.pid);
    for (let left = limit; left > 0;) {
      await delay(left, undefined, { ref: false });
      if (!this.#calls.has(id)) return;
      const now = before === undefined ? undefined : await processorMs(child.pid);
      const used = before === undefined || now === undefined ? performance.now() - startedAt : now - before;
      left = used >= limit ? 0 : Math.max(limit - used, TICK_MS);
    }
    this.#calls
      .get(id)
      ?.reject(this.limits.refusal?.() ?? new ImageProcessFailure('the picture takes too long'));
    child.kill('SIGKILL');
  }

  #start(): ChildProcess {
    // No secrets: a picture that takes the process over finds none.
    const child = fork(this.program, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {},
      execArgv: [],
    });
    child.on('message', (reply: ImageReply) => {
      this.#settle(child, reply);
    });
    const end = (): void => {
      this.#end(child);
    };
    child.once('error', end).once('exit', end);
    return child;
  }

  #settle(child: ChildProcess, reply: ImageReply): void {
    const call = this.#calls.get(reply.id);
    if ('isStarted' in reply) {
      call?.start();
      return;
    }
    if ('result' in reply) call?.resolve(reply.result);
    else if ('damage' in reply) call?.reject(new DamagedFile(reply.damage));
    else if ('complexity' in reply)
      call?.reject(new ComplexFile(reply.complexity.aspect, reply.complexity.maximum));
    else call?.reject(new ImageProcessFailure(reply.failure));
    if (this.#calls.size > 0) return;
    // An idle process does not keep this one alive.
    child.unref();
    child.channel?.unref();
  }

  #end(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const { reject } of [...this.#calls.values()]) reject(new ImageProcessFailure('the process ended'));
    this.#calls.clear();
  }
}
