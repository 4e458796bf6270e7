import type { Readable } from 'node:stream';

/** A complete file in {@link MediaStorage.staging}, which `put` takes over, or a stream. */
export type ObjectBody =
  | { readonly file: string }
  | { readonly stream: Readable; /** In bytes, if known. */ readonly size?: number };

/** Inclusive, within the object. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface ObjectBytes {
  readonly stream: Readable;
  /** Size of the whole object, also for a range. */
  readonly size: number;
}

export interface UploadConditions {
  readonly maximumBytes: number;
  readonly mimeType: string;
  readonly expiresSeconds: number;
}

/** An HTML form that uploads one object. */
export interface PresignedForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Objects by key. An object is complete or absent: `put` replaces it at once and renews its time.
 * Every method rejects with {@link StorageFailure}.
 */
export interface MediaStorage {
  readonly kind: 'disk' | 's3';
  /** Local directory of temporary files. */
  readonly staging: string;
  put(key: string, body: ObjectBody, mimeType?: string): Promise<void>;
  /** Undefined without such an object. A range outside the object is the caller's fault. */
  read(key: string, range?: ByteRange): Promise<ObjectBytes | undefined>;
  head(key: string): Promise<StoredObject | undefined>;
  /** A missing object is no failure. */
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Disk only: where the object is, or would be. */
  pathOf?(key: string): string;
  /** S3 only. */
  presignPost?(key: string, conditions: UploadConditions): Promise<PresignedForm>;
  /**
   * Disk only: extends an object, which may be absent at offset 0, and returns its size. What arrived before a failure
   * stays. One writer at a time.
   * @throws StorageFailure `conflict` if the object does not end at `offset`
   */
  append?(key: string, offset: number, stream: Readable): Promise<number>;
}

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';

  constructor(
    readonly reason: 'full' | 'unavailable' | 'conflict',
    cause?: unknown,
  ) {
    super(`media storage: ${reason}`, { cause });
  }
}

/** Each segment is safe as a file name and in a URL. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}(?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,199}){0,7}$/;

/** @throws Error for a key that no function below makes */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error('invalid key of a stored object');
  return key;
}

export const RENDITIONS = 'renditions/';
export const UPLOADS = 'uploads/';
/** Archives of translations. */
export const EXPORTS = 'exports/';
export const IMPORTS = 'imports/';

/** One object per content and tenant. */
export const objectKey = (tenantId: string, sha256: string): string =>
  checkKey(`${tenantId}/${sha256.slice(0, 2)}/${sha256}`);

/** Whose object it is. */
export const tenantOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** @param parameters canonical parameters of the rendition */
export const renditionKey = (sha256: string, parameters: string): string =>
  checkKey(`${RENDITIONS}${sha256}/${parameters}`);

/** An upload that is not complete yet. */
export const uploadKey = (tenantId: string, uploadId: string): string =>
  checkKey(`${UPLOADS}${tenantId}/${uploadId}`);

export const exportKey = (tenantId: string, jobId: string): string =>
  checkKey(`${EXPORTS}${tenantId}/${jobId}`);
export const importKey = (tenantId: string, jobId: string): string =>
  checkKey(`${IMPORTS}${tenantId}/${jobId}`);
