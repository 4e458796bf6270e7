import { fork, type ChildProcess } from 'node:child_process';
import { DamagedFile } from '../files/file-window.js';
import { ComplexFile, type FileAspect } from '../files/complex-file.js';
import type { SanitizedDrawing } from '../files/svg/sanitize-svg.js';
import type { ImageWork } from './image-work.js';
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
  /** From the start of a call in the process. */
  readonly milliseconds?: Partial<Record<keyof ImageWork, number>>;
  /** Until then: the process itself may have to start. */
  readonly startMilliseconds?: number;
  /** What a call is refused with that takes longer; unset: ImageProcessFailure. */
  readonly refusal?: () => Error;
}

/** Longer than sharp's own limit: the process hangs. */
const CALL_MS = 30_000;
const START_MS = 30_000;

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
      this.#calls.set(call.id, {
        start: () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            if (this.limits.refusal !== undefined) {
              stop();
              reject(this.limits.refusal());
            }
            end();
          }, this.limits.milliseconds?.[task] ?? CALL_MS);
        },
        resolve: (result) => {
          stop();
          resolve(result as T);
        },
        reject: (error) => {
          stop();
          reject(error);
        },
      });
      child.ref();
      child.channel?.ref();
      // A failure to send ends the process, which fails the call.
      child.send(call, () => undefined);
    });
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
