import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ImportCount } from '../../../../contracts/editorial/imports/import-job.js';
import { failureBody } from '../../../../contracts/errors.js';
import type { FileSource } from '../../../../contracts/media/media/media-file.js';
import { toAppError } from '../../../../contracts/procedure.js';
import { builtFile } from '../../../infrastructure/worker-calls.js';
import type { ImportOptions, ImportProgress } from './import-job.repository.js';

/** What the thread imports. Everything that it writes is in the folder of `file`. */
export interface ImportTask extends Pick<
  ImportOptions,
  'system' | 'siteSlug' | 'contentTypeApiName' | 'fileName' | 'dryRun'
> {
  readonly file: string;
  /** The YAML of the mapping; written if it does not exist. */
  readonly mapping: string;
  readonly losses: string;
  readonly projectSlug: string;
}

/** A file of a call: its stream cannot be sent. */
interface SentFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

export type ThreadMessage =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly operation: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly file: SentFile | undefined;
    }
  | ({ readonly kind: 'progress' } & ImportProgress)
  | {
      readonly kind: 'done';
      readonly counts: readonly ImportCount[];
      readonly failed: number;
      readonly conflicts: number;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** The result of a call, or why it failed. */
export type CallReply =
  | { readonly id: number; readonly output: unknown }
  | ({ readonly id: number } & ReturnType<typeof failureBody>);

/** Calls an operation with the rights of the one who started the import. */
export type CallOperation = (operation: string, input: object) => Promise<unknown>;

/** The export cannot be read, or contradicts the project. The message is for people. */
export class ImportProblem extends Error {
  override readonly name = 'ImportProblem';
}

const HEAP_MEGABYTES = 1024;

const sourceOf = ({ fileName, bytes }: SentFile): FileSource => ({
  fileName,
  size: bytes.length,
  open: async function* () {
    yield await Promise.resolve(bytes);
  },
  bytesAtMost: () => bytes.length,
  complete: Promise.resolve(),
});

async function replyTo(
  { id, operation, input, file }: Extract<ThreadMessage, { kind: 'call' }>,
  call: CallOperation,
): Promise<CallReply> {
  try {
    return {
      id,
      output: await call(operation, file === undefined ? input : { ...input, file: sourceOf(file) }),
    };
  } catch (error) {
    return { id, ...failureBody(toAppError(error)) };
  }
}

interface ThreadEvents {
  readonly call: CallOperation;
  onProgress(progress: ImportProgress): void;
}

interface ThreadResult {
  readonly counts: readonly ImportCount[];
  readonly failed: number;
  readonly conflicts: number;
}

function failureOf(error: Error): Error {
  const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isFull) return error;
  return new ImportProblem('The file needs more memory than an import has. Import it with the command line.');
}

/** Runs an import in a separate thread, so that requests do not wait for it. */
export class ImportThread {
  readonly #worker: Worker;
  readonly #result: Promise<ThreadResult>;

  constructor(task: ImportTask, { call, onProgress }: ThreadEvents) {
    const worker = new Worker(builtFile('import-thread'), {
      workerData: task,
      // Archives are unpacked beside the file.
      env: { TMPDIR: path.dirname(task.losses) },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    this.#worker = worker;
    this.#result = new Promise((resolve, reject) => {
      worker.on('message', (message: ThreadMessage) => {
        if (message.kind === 'progress') onProgress(message);
        else if (message.kind === 'done') resolve(message);
        else if (message.kind === 'failed') reject(new ImportProblem(message.message));
        else
          void replyTo(message, call).then((reply) => {
            worker.postMessage(reply);
          });
      });
      worker.on('error', (error: Error) => {
        reject(failureOf(error));
      });
      worker.once('exit', () => {
        reject(new Error('The thread of an import has ended.'));
      });
    });
  }

  /** @throws ImportProblem; Error if the thread ends before */
  async result(): Promise<ThreadResult> {
    try {
      return await this.#result;
    } finally {
      await this.stop();
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
