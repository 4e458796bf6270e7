import type { Readable } from 'node:stream';
import type { OperationScope } from '../../procedures/index.js';

/** Names and values alternating, as `writeHead` takes them without copying. */
export type HeaderList = readonly string[];

export interface StreamBody {
  readonly stream: Readable;
  readonly mediaType: string;
  /** In bytes, if known. */
  readonly length?: number;
  /** It is read from the storage: sending it takes time, but no work. */
  readonly isStored?: boolean;
}

export type WholeBody =
  | { readonly json: unknown }
  /** `identity` is shorter than the text: equal identities have equal texts. */
  | { readonly text: string; readonly mediaType: string; readonly identity?: string }
  /** Shared by all answers with the same bytes, so that unread ones take no additional memory. */
  | { readonly bytes: Buffer; readonly mediaType: string };

/** Bytes as they are stored. */
export type StoredBody =
  { readonly bytes: Buffer; readonly mediaType: string } | (StreamBody & { readonly length: number });

/** The HTTP result of an operation as a value; the pipeline applies to it what holds for all operations. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** In place of the headers that all answers share. */
  readonly shared?: HeaderList;
  readonly body: WholeBody | StreamBody | null;
  /** Shared caches may store it: no header is for one caller, and its entity tag is of its bytes. */
  readonly isPublic?: boolean;
  /** Sent compressed to clients that accept it. Never set where the body has secrets, whose length would show them. */
  readonly isCompressible?: boolean;
  /** Set for delivery reads. The response cache stores their 200 and 404. */
  readonly delivery?: OperationScope;
}

export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

export const isStream = (body: HttpAnswer['body']): body is StreamBody => body !== null && 'stream' in body;

export const jsonAnswer = (status: number, json: unknown, headers: HeaderList = []): HttpAnswer => ({
  status,
  headers,
  body: { json },
});
