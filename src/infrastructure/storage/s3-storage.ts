import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Neighbour, NeighbourCall } from '../neighbours/neighbour.js';
import { soleNeighbour } from '../neighbours/neighbours.js';
import { lazy } from '../lazy.js';
import {
  checkKey,
  StorageFailure,
  type ByteRange,
  type MediaStorage,
  type ObjectBody,
  type ObjectBytes,
  type PresignedForm,
  type StoredObject,
  type UploadConditions,
} from './media-storage.js';
import type { RunRequest, S3Requests, S3Settings } from './s3-requests.js';

export type { S3Settings } from './s3-requests.js';

/** Memory of an upload: four parts at once. */
const PART_BYTES = 8 * 1024 * 1024;

/** No object has this key: 404 shows that the bucket responds. */
const PROBED = 'readiness';
const PROBE_MS = 10_000;

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;

/** Responses below 500 show that the storage works. */
export const isStorageOutage = (error: unknown): boolean => {
  const status = statusOf(error instanceof StorageFailure ? error.cause : error);
  return typeof status !== 'number' || (status >= 500 && status !== 507);
};

function failureOf(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  return new StorageFailure(statusOf(error) === 507 ? 'full' : 'unavailable', error);
}

/** The total of `bytes 0-9/100`. */
function totalSize(headers: Headers): number {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return Number(total ?? headers.get('content-length') ?? 0);
}

/** Objects of one S3 bucket. */
export class S3Storage implements MediaStorage {
  readonly kind = 's3';
  /** Loaded on first use. */
  readonly #module = lazy(() => import('./s3-requests.js'));

  constructor(
    private readonly settings: S3Settings,
    readonly staging: string,
    private readonly neighbour: Neighbour = soleNeighbour('storage'),
  ) {}

  /** Resolves if the bucket responds. */
  static async probe(settings: S3Settings, call: NeighbourCall): Promise<void> {
    const { S3Requests: Requests } = await import('./s3-requests.js');
    const requests = new Requests(settings, { run: (send) => send(call), bodyMs: PROBE_MS });
    const { body } = await requests.send({ method: 'GET', key: PROBED }, call);
    body.destroy();
  }

  async put(key: string, body: ObjectBody, mimeType = 'application/octet-stream'): Promise<void> {
    const source = 'file' in body ? createReadStream(body.file) : body.stream;
    let failure: unknown;
    const run =
      (call: NeighbourCall): RunRequest =>
      (send) =>
        send(call).catch((error: unknown) => {
          failure ??= error;
          // The parts that follow are not sent.
          source.destroy(new StorageFailure('unavailable', error));
          throw error;
        });
    try {
      const size = 'file' in body ? (await stat(body.file)).size : body.size;
      await this.neighbour.call(async (call) => {
        const client = await this.#client(run(call));
        await client.putObject(checkKey(key), Readable.toWeb(source) as ReadableStream<Uint8Array>, {
          partSize: PART_BYTES,
          metadata: { 'Content-Type': mimeType },
          ...(size === undefined ? {} : { size }),
        });
      });
      if ('file' in body) await rm(body.file, { force: true });
    } catch (error) {
      throw failure === undefined && source.errored !== null ? source.errored : failureOf(failure ?? error);
    } finally {
      source.destroy();
    }
  }

  async read(key: string, range?: ByteRange): Promise<ObjectBytes | undefined> {
    const headers: Record<string, string> =
      range === undefined ? {} : { range: `bytes=${String(range.start)}-${String(range.end)}` };
    return this.#found(async (client, call) => {
      const { headers: received, body } = await client.send(
        { method: 'GET', key: checkKey(key), headers },
        call,
      );
      return { stream: body, size: totalSize(received) };
    });
  }

  async head(key: string): Promise<StoredObject | undefined> {
    return this.#found(async (client) => {
      const { size, lastModified } = await client.statObject(checkKey(key));
      return { key, size, modifiedAt: lastModified };
    });
  }

  async remove(key: string): Promise<void> {
    await this.#found((client) => client.deleteObject(checkKey(key)));
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    try {
      const client = await this.#client((send) => this.neighbour.call(send));
      for await (const { key, size, lastModified } of client.listObjects({ prefix }))
        yield { key, size, modifiedAt: lastModified };
    } catch (error) {
      throw failureOf(error);
    }
  }

  async presignPost(key: string, conditions: UploadConditions): Promise<PresignedForm> {
    const { maximumBytes, mimeType, expiresSeconds } = conditions;
    const { sessionToken } = this.settings;
    const client = await this.#client((send) => this.neighbour.call(send));
    return client.presignedPostObject(checkKey(key), {
      expirySeconds: expiresSeconds,
      fields: {
        'Content-Type': mimeType,
        ...(sessionToken === undefined ? {} : { 'X-Amz-Security-Token': sessionToken }),
      },
      conditions: [['content-length-range', '1', String(maximumBytes)]],
    });
  }

  /** Undefined if the server has no such object. */
  async #found<T>(request: (client: S3Requests, call: NeighbourCall) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.neighbour.call(async (call) =>
        request(await this.#client((send) => send(call)), call),
      );
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw failureOf(error);
    }
  }

  async #client(run: RunRequest): Promise<S3Requests> {
    const { S3Requests: Requests } = await this.#module.get();
    return new Requests(this.settings, { run, bodyMs: this.neighbour.stallMs });
  }
}
