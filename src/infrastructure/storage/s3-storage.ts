import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { S3Client } from '@bradenmacdonald/s3-lite-client';
import { lazy } from '../lazy.js';
import { withTimeLimit } from '../time-limit.js';
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

export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** The bucket in the path instead of the host name. */
  readonly forcePathStyle: boolean;
}

/** Memory of an upload: four parts at once. */
const PART_BYTES = 8 * 1024 * 1024;
/** Until the response begins; bodies take as long as they need. */
const RESPONSE_MILLISECONDS = 15_000;

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;

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
  readonly #client = lazy(async (): Promise<S3Client> => {
    const { S3Client: Client } = await import('@bradenmacdonald/s3-lite-client');
    const { settings } = this;
    return new Client({
      endPoint: settings.endpoint,
      region: settings.region,
      bucket: settings.bucket,
      accessKey: settings.accessKeyId,
      secretKey: settings.secretAccessKey,
      pathStyle: settings.forcePathStyle,
      ...(settings.sessionToken === undefined ? {} : { sessionToken: settings.sessionToken }),
    });
  });

  constructor(
    private readonly settings: S3Settings,
    readonly staging: string,
  ) {}

  async put(key: string, body: ObjectBody, mimeType = 'application/octet-stream'): Promise<void> {
    const source = 'file' in body ? createReadStream(body.file) : body.stream;
    try {
      const size = 'file' in body ? (await stat(body.file)).size : body.size;
      const client = await this.#client.get();
      await client.putObject(checkKey(key), Readable.toWeb(source) as ReadableStream<Uint8Array>, {
        partSize: PART_BYTES,
        metadata: { 'Content-Type': mimeType },
        ...(size === undefined ? {} : { size }),
      });
      if ('file' in body) await rm(body.file, { force: true });
    } catch (error) {
      throw source.errored === null ? failureOf(error) : source.errored;
    } finally {
      source.destroy();
    }
  }

  async read(key: string, range?: ByteRange): Promise<ObjectBytes | undefined> {
    const part =
      range === undefined
        ? { offset: 0, length: 0 }
        : { offset: range.start, length: range.end - range.start + 1 };
    return this.#found(async (client) => {
      const response = await client.getPartialObject(checkKey(key), part);
      const { body } = response;
      const stream = body === null ? Readable.from([]) : Readable.fromWeb(body as WebStream);
      return { stream, size: totalSize(response.headers) };
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
      const client = await this.#client.get();
      for await (const { key, size, lastModified } of client.listObjects({ prefix }))
        yield { key, size, modifiedAt: lastModified };
    } catch (error) {
      throw failureOf(error);
    }
  }

  async presignPost(key: string, conditions: UploadConditions): Promise<PresignedForm> {
    const { maximumBytes, mimeType, expiresSeconds } = conditions;
    const { sessionToken } = this.settings;
    const client = await this.#client.get();
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
  async #found<T>(request: (client: S3Client) => Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeLimit(RESPONSE_MILLISECONDS, request(await this.#client.get()));
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw failureOf(error);
    }
  }
}
