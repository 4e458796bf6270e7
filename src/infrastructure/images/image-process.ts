import { fork, type ChildProcess } from 'node:child_process';
import { DamagedFile } from '../files/file-window.js';
import type { ImageRecipe } from './render-image.js';

export interface RenderCall {
  readonly id: number;
  readonly file: string;
  readonly recipe: ImageRecipe;
}

export type RenderReply = { readonly id: number } & (
  { readonly bytes: Uint8Array } | { readonly damage: string } | { readonly failure: string }
);

/** Longer than sharp's own limit: the process hangs. */
const RENDER_MS = 30_000;

/** The process ended, hung, or failed for another reason than the picture. */
export class ImageProcessFailure extends Error {
  override readonly name = 'ImageProcessFailure';
}

interface Waiting {
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

/**
 * Renders pictures in a separate process, whose lower priority lets requests go first. It starts with the first
 * picture, starts again after a crash, and ends with this process.
 */
export class ImageProcess {
  #child: ChildProcess | undefined;
  #lastId = 0;
  readonly #calls = new Map<number, Waiting>();

  /** @param limitMs after which the process is killed, with all its calls */
  constructor(
    private readonly program: URL,
    private readonly limitMs = RENDER_MS,
  ) {}

  /** Undefined until it has started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** @throws DamagedFile, ImageProcessFailure */
  render(file: string, recipe: ImageRecipe): Promise<Buffer> {
    const child = (this.#child ??= this.#start());
    const call: RenderCall = { id: (this.#lastId += 1), file, recipe };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), this.limitMs);
      const ended =
        <A>(settle: (answer: A) => void) =>
        (answer: A): void => {
          clearTimeout(timer);
          settle(answer);
        };
      this.#calls.set(call.id, { resolve: ended(resolve), reject: ended(reject) });
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
    child.on('message', (reply: RenderReply) => {
      this.#settle(child, reply);
    });
    const end = (): void => {
      this.#end(child);
    };
    child.once('error', end).once('exit', end);
    return child;
  }

  #settle(child: ChildProcess, reply: RenderReply): void {
    const call = this.#calls.get(reply.id);
    this.#calls.delete(reply.id);
    if ('bytes' in reply)
      call?.resolve(Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength));
    else if ('damage' in reply) call?.reject(new DamagedFile(reply.damage));
    else call?.reject(new ImageProcessFailure(reply.failure));
    if (this.#calls.size > 0) return;
    // An idle process does not keep this one alive.
    child.unref();
    child.channel?.unref();
  }

  #end(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const { reject } of this.#calls.values()) reject(new ImageProcessFailure('the process ended'));
    this.#calls.clear();
  }
}
