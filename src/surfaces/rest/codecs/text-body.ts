import type { IncomingMessage } from 'node:http';
import type { BusboyHeaders } from '@fastify/busboy';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { TextBody } from '../../../../contracts/metadata.js';
import { checkExactText } from '../../../content/exact-json/exact-json.js';
import { readBytes } from '../../http/read-body.js';
import { readSinglePart } from './multipart.js';

const MULTIPART = 'multipart/form-data';

const mediaTypeOf = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** @throws AppError 422 unless valid UTF-8 that can be stored */
export function decodeText(bytes: Buffer, key: string): string {
  const text = decodeUtf8(bytes, key);
  if (checkExactText(text)) return text;
  const message = 'The value contains a character that cannot be stored.';
  throw invalidInput({ path: [key], code: 'invalid_text', message });
}

function decodeUtf8(bytes: Buffer, key: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidInput({ path: [key], code: 'invalid_encoding', message: 'The body is not valid UTF-8.' });
  }
}

/** Whether the body is text or multipart instead of JSON. */
export function isTextBody(request: IncomingMessage, { mediaType }: TextBody): boolean {
  return [mediaType, MULTIPART].includes(mediaTypeOf(request));
}

/** @throws AppError 400 `invalid_request`, 413 `payload_too_large`, 415 unless UTF-8, 422 */
export async function readText(request: IncomingMessage, body: TextBody): Promise<string> {
  const contentType = request.headers['content-type'] ?? '';
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new AppError('unsupported_media_type', undefined, 'Send the body in UTF-8.');
  const bytes = await readBytes(request, body.maximumBytes);
  if (mediaTypeOf(request) !== MULTIPART) return decodeUtf8(bytes, body.key);
  if (!/;\s*boundary=/i.test(contentType))
    throw new AppError('invalid_request', undefined, 'The multipart body has no boundary.');
  return decodeUtf8(await readSinglePart(bytes, request.headers as BusboyHeaders, body.part), body.key);
}
