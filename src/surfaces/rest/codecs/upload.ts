import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { RestMeta } from '../../../../contracts/metadata.js';
import type { FileSource } from '../../../../contracts/media/media/media-file.js';
import { decodeText } from './text-body.js';
import { awaitedLater } from '../../../infrastructure/promises.js';

type UploadMeta = NonNullable<RestMeta['upload']>;

/** The parts before the file, and the file, whose bytes still arrive. */
export interface Upload {
  readonly parts: ReadonlyMap<string, string[]>;
  /** Undefined if the body ended without one. */
  readonly file: FileSource | undefined;
  /** Discards what is left of the body, so that the connection can be used again. */
  discard(): void;
}

const MAXIMUM_PARTS = 200;
const MAXIMUM_PART_BYTES = 65_536;

const malformed = (message = 'The multipart body is malformed.'): AppError =>
  new AppError('invalid_request', undefined, message);

const misplaced = (name: string, message: string): AppError =>
  invalidInput({ path: [name], code: 'unrecognized_key', message });

/** A part that is not the file. */
async function readPart(name: string, stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAXIMUM_PART_BYTES) chunks.push(chunk);
  }
  if (size > MAXIMUM_PART_BYTES)
    throw new AppError('payload_too_large', { part: name, maximumBytes: MAXIMUM_PART_BYTES });
  return decodeText(Buffer.concat(chunks), name);
}

class UploadReader {
  readonly #parts = new Map<string, string[]>();
  readonly #pending: Promise<void>[] = [];
  readonly #opened = Promise.withResolvers<FileSource | undefined>();
  readonly #ended = Promise.withResolvers<undefined>();
  readonly #parser: InstanceType<typeof Busboy>;
  #file: Readable | undefined;
  #failure: AppError | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly meta: UploadMeta,
  ) {
    void awaitedLater(this.#opened.promise);
    void awaitedLater(this.#ended.promise);
    this.#parser = new Busboy({
      headers: request.headers as BusboyHeaders,
      // Text parts are decoded strictly.
      isPartAFile: () => true,
      limits: { parts: MAXIMUM_PARTS, headerPairs: 50, headerSize: 8192, fileSize: meta.maximumBytes + 1 },
    });
    this.#parser.on(
      'file',
      (
        ...[name, stream, fileName, , mimeType]: [
          string,
          BusboyFileStream,
          string | undefined,
          string,
          string,
        ]
      ) => {
        this.#take({ name, stream, fileName, mimeType });
      },
    );
    this.#parser.on('partsLimit', () => {
      this.#fail(malformed(`The body has more than ${String(MAXIMUM_PARTS)} parts.`));
    });
    this.#parser.on('error', () => {
      this.#fail(malformed());
    });
    this.#parser.on('finish', () => void this.#finish());
    request.once('close', () => {
      if (!request.complete) this.#fail(malformed('The request body is incomplete.'));
    });
    request.pipe(this.#parser);
  }

  async read(): Promise<Upload> {
    try {
      const file = await this.#opened.promise;
      await Promise.all(this.#pending);
      return {
        parts: this.#parts,
        file,
        discard: () => {
          this.#discard();
        },
      };
    } catch (error) {
      this.#discard();
      throw error;
    }
  }

  #take(part: { name: string; stream: Readable; fileName: string | undefined; mimeType: string }): void {
    const { name, stream } = part;
    stream.on('error', () => undefined);
    if (this.#file !== undefined) {
      stream.resume();
      this.#fail(misplaced(name, 'The file must be the last part.'));
      return;
    }
    if (name !== this.meta.part) {
      this.#pending.push(awaitedLater(this.#keep(name, stream)));
      return;
    }
    this.#file = stream;
    const { 'content-length': length } = this.request.headers;
    this.#opened.resolve({
      fileName: part.fileName ?? '',
      declaredType: part.fileName === undefined ? undefined : part.mimeType,
      open: () => stream,
      // The body has little beside the file.
      bytesAtMost: () => (length === undefined ? undefined : Number(length)),
      complete: this.#ended.promise,
    });
  }

  async #keep(name: string, stream: Readable): Promise<void> {
    const value = await readPart(name, stream);
    const known = this.#parts.get(name);
    if (known === undefined) this.#parts.set(name, [value]);
    else known.push(value);
  }

  async #finish(): Promise<void> {
    if (this.#failure !== undefined) return;
    await Promise.allSettled(this.#pending);
    this.#opened.resolve(undefined);
    this.#ended.resolve(undefined);
  }

  #fail(error: AppError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#opened.reject(error);
    this.#ended.reject(error);
    this.#file?.destroy(error);
    this.#discard();
  }

  #discard(): void {
    if (this.request.readableEnded) return;
    this.request.unpipe(this.#parser);
    this.request.resume();
  }
}

/** Whether the body is a form with a file instead of JSON. */
export const isUpload = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type']?.trim() ?? '');

/**
 * Reads the parts up to the file. Its bytes are read by who opens it: memory does not grow with the file.
 * @throws AppError 400 `invalid_request`, 413 `payload_too_large`, 415, 422 `validation_failed`
 */
export async function readUpload(request: IncomingMessage, meta: UploadMeta): Promise<Upload> {
  const {
    'content-type': type = '',
    'content-encoding': encoding,
    'content-length': length,
  } = request.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw new AppError('unsupported_media_type', undefined, 'Send the body without Content-Encoding.');
  if (!/;\s*boundary=/i.test(type)) throw malformed('The multipart body has no boundary.');
  const { maximumBytes } = meta;
  if (Number(length ?? 0) > maximumBytes + MAXIMUM_PARTS * MAXIMUM_PART_BYTES)
    throw new AppError('payload_too_large', { maximumBytes });
  return new UploadReader(request, meta).read();
}
