import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { exactJsonSteps, parseExactJson } from '../../content/exact-json/exact-json.js';
import { runInTurns } from '../../infrastructure/lazy.js';

/** Larger bodies are parsed and used in separate turns of the event loop. */
const LARGE_BYTES = 65_536;

/** @throws AppError as {@link parseExactJson} */
export async function parseBody(bytes: Uint8Array): Promise<unknown> {
  return bytes.length <= LARGE_BYTES ? parseExactJson(bytes) : await runInTurns(exactJsonSteps(bytes));
}

const isJson = (contentType: string): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim());

/** @throws AppError 413 `payload_too_large`, 415 if compressed, 400 if aborted */
export async function readBytes(request: IncomingMessage, maximumBytes: number): Promise<Buffer> {
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
      : new AppError('invalid_request', undefined, 'The request body is incomplete.');
  }
  return Buffer.concat(chunks, size);
}

/**
 * Undefined without a body.
 * @param body if already read
 * @throws AppError 400 `invalid_json`, 413, 415 `unsupported_media_type`, 422 for values that cannot be stored
 * exactly
 */
export async function readJson(
  request: IncomingMessage,
  maximumBytes: number,
  body?: Buffer,
): Promise<unknown> {
  const bytes = body ?? (await readBytes(request, maximumBytes));
  if (bytes.length === 0) return undefined;
  if (!isJson(request.headers['content-type'] ?? '')) throw new AppError('unsupported_media_type');
  return parseBody(bytes);
}

/**
 * Calls `use` synchronously with the last byte, which a promise would not. An aborted request closes the
 * connection.
 */
export function readSizedBody(request: IncomingMessage, length: number, use: (body: Buffer) => void): void {
  let chunks: Buffer[] | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size < length) (chunks ??= []).push(chunk);
    else use(chunks === undefined ? chunk : Buffer.concat([...chunks, chunk], size));
  });
  request.on('error', () => {
    request.destroy();
  });
}
