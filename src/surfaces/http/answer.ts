import type { Readable } from 'node:stream';
import type { OperationScope } from '../../procedures/index.js';

/** Names and values in turn, the form in which node writes them without copying. */
export type HeaderList = readonly string[];

/** A body that is sent while it is read. */
export interface StreamBody {
  readonly stream: Readable;
  /** `Content-Type` as it is sent. */
  readonly mediaType: string;
  /** In bytes, where known. */
  readonly length?: number;
}

/** A body that is complete. */
export type WholeBody = { readonly json: unknown } | { readonly text: string; readonly mediaType: string };

/**
 * The HTTP result of an operation as a value. Everything that holds for all operations (request id, shared headers,
 * rate limit headers, entity tag, 304, HEAD, response cache, compression) is applied to it by the pipeline.
 */
export interface Answer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: WholeBody | StreamBody | null;
  /** Shared caches may store it: it has no header that is meant for one caller, and an entity tag of its bytes. */
  readonly isPublic?: boolean;
  /** The admission of a delivery read. The response cache keeps such answers with status 200 and 404. */
  readonly delivery?: OperationScope;
}

/** For responses that no cache may store. */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

export const isStream = (body: Answer['body']): body is StreamBody => body !== null && 'stream' in body;

export const jsonAnswer = (status: number, json: unknown, headers: HeaderList = []): Answer => ({
  status,
  headers,
  body: { json },
});
