import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { parseExactJson } from '../../content/exact-json/exact-json.js';
import { Attached } from './exchange-value.js';

const isJson = (contentType: string): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim());

const takenBodies = new Attached<IncomingMessage, Buffer>();

/** Hands on a body that was read before it was known who answers it; within every limit, and not compressed. */
export function keepBody(request: IncomingMessage, bytes: Buffer): void {
  takenBodies.set(request, bytes);
}

/**
 * The bytes of a request body.
 * @param maximumBytes more than this is refused without being kept
 * @throws AppError 413 `payload_too_large`, 415 for a compressed body, 400 where the caller breaks off
 */
export async function readBytes(request: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  const taken = takenBodies.get(request);
  if (taken !== undefined) return taken;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', undefined, 'Send the body without Content-Encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes)
    throw new AppError('payload_too_large', { maximumBytes });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maximumBytes) throw new AppError('payload_too_large', { maximumBytes });
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('invalid_request', undefined, 'The request body broke off.');
  }
  return Buffer.concat(chunks, size);
}

/**
 * The JSON value of a request body; an absent body is undefined.
 * @throws AppError 400 `invalid_json`, 413, 415 `unsupported_media_type`, 422 for values that could not be kept exactly
 */
export async function readJson(request: IncomingMessage, maximumBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maximumBytes);
  if (bytes.length === 0) return undefined;
  if (!isJson(request.headers['content-type'] ?? '')) throw new AppError('unsupported_media_type');
  return parseExactJson(bytes);
}
