import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { importKinds } from '../../../../contracts/editorial/imports/import-job.js';
import { AppError } from '../../../../contracts/errors.js';
import type { FileInput } from '../../../../contracts/media/media/media-file.js';
import type { CallReply, ImportTask, ThreadMessage } from '../../../features/editorial/imports/index.js';
import { retryPassing, type Operations } from '../../client/rest-operations.js';
import type { Progress } from '../../progress.js';
import { importFile } from './import-file.js';
import { uploadedExport } from './uploaded-export.js';

/** Entry point of the thread that imports a file. The service makes its calls, with the rights of the caller. */
const port = parentPort;

const send = (message: ThreadMessage, transferred: ArrayBuffer[] = []): void => {
  port?.postMessage(message, transferred);
};

interface Waiting {
  resolve(output: unknown): void;
  reject(error: AppError): void;
}

/** Calls that were sent, by their ids. */
const waiting = new Map<number, Waiting>();
let calls = 0;

port?.on('message', (reply: CallReply) => {
  const call = waiting.get(reply.id);
  waiting.delete(reply.id);
  if ('error' in reply) call?.reject(new AppError(reply.error, reply.details, reply.message));
  else call?.resolve(reply.output);
});

async function bytesOf(file: FileInput): Promise<Uint8Array<ArrayBuffer>> {
  if (!('open' in file)) return Uint8Array.from(Buffer.from(file.content, 'base64'));
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.open()) chunks.push(chunk);
  return Uint8Array.from(Buffer.concat(chunks));
}

async function call(operation: string, { file, ...input }: { readonly file?: FileInput }): Promise<unknown> {
  calls += 1;
  const id = calls;
  const bytes = file && (await bytesOf(file));
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  waiting.set(id, { resolve, reject });
  const sent = file && bytes && { fileName: file.fileName, bytes };
  send({ kind: 'call', id, operation, input, file: sent }, bytes ? [bytes.buffer] : []);
  return promise;
}

const client: Operations = {
  call: async (group, verb, input) =>
    (await retryPassing(() => call(`${group}.${String(verb)}`, input))) as never,
};

class SentProgress implements Progress {
  #done = 0;
  #total = 0;

  start(total: number): void {
    this.#total = total;
    this.#done = 0;
    this.#send();
  }

  advance(steps = 1): void {
    this.#done += steps;
    this.#send();
  }

  stop(): void {
    // The last step was sent.
  }

  #send(): void {
    send({ kind: 'progress', done: this.#done, total: this.#total });
  }
}

const { file, fileName, system, siteSlug, contentTypeApiName, projectSlug, dryRun, ...places } =
  workerData as ImportTask;

try {
  const { report, failed, conflicts } = await importFile(
    {
      ...places,
      file: await uploadedExport(file, system),
      system,
      target: { client, projectSlug, siteSlug },
      state: `${places.losses}.progress`,
      isDry: dryRun,
      isResumed: false,
      type: contentTypeApiName ?? undefined,
    },
    { newProgress: () => new SentProgress(), onMapping: () => undefined },
  );
  const counts = importKinds.map((kind) => ({ kind, ...report.numbersOf(kind) }));
  send({
    kind: 'done',
    counts: counts.filter(({ kind: _kind, ...own }) => Object.values(own).some(Boolean)),
    failed,
    conflicts,
  });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  // Names of the machine are not for the caller.
  const shown = message.replaceAll(file, fileName).replaceAll(path.dirname(places.losses), '…');
  send({ kind: 'failed', message: shown });
}
