import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { IncomingMessage } from 'node:http';
import type { TextBody } from '../../../../contracts/metadata.js';
import { checkExactText } from '../../../content/exact-json/exact-json.js';
import { readBytes } from '../../http/read-body.js';

const malformedBody = (): AppError =>
  new AppError('invalid_request', undefined, 'The multipart body is malformed.');

const MAXIMUM_PARTS = 10;

/** @throws AppError 400 `invalid_request`, 422 `validation_failed` unless `name` is the only part */
function readSinglePart(body: Buffer, headers: BusboyHeaders, name: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const found: Buffer[] = [];
    const unexpected = new Set<string>();
    // Files are not decoded.
    const parser = new Busboy({
      headers,
      isPartAFile: () => true,
      limits: { parts: MAXIMUM_PARTS, headerPairs: 50, headerSize: 8192 },
    });
    parser.on('file', (field, stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => {
        reject(malformedBody());
      });
      stream.on('end', () => {
        if (field === name) found.push(Buffer.concat(chunks));
        else unexpected.add(field);
      });
    });
    parser.on('error', () => {
      reject(malformedBody());
    });
    parser.on('partsLimit', () => {
      reject(malformedBody());
    });
    parser.on('finish', () => {
      const [part, ...more] = found;
      if (part !== undefined && more.length === 0 && unexpected.size === 0) resolve(part);
      else reject(partError(name, { isMissing: part === undefined, unexpected }));
    });
    parser.end(body);
  });
}

function partError(
  name: string,
  { isMissing, unexpected }: { isMissing: boolean; unexpected: ReadonlySet<string> },
): AppError {
  const unknown = [...unexpected].map((field) => ({
    path: [field],
    code: 'unrecognized_key',
    message: `Unknown key: ${field}`,
  }));
  if (unknown.length > 0) return invalidInput(...unknown);
  const message = isMissing ? `The part "${name}" is missing.` : `The part "${name}" is repeated.`;
  return invalidInput({ path: [name], code: 'invalid_type', message });
}

const MULTIPART = 'multipart/form-data';

const mediaTypeOf = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** By the first two bytes. */
const byteOrderMarks: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/** @throws AppError 422 unless valid UTF-8 that can be stored */
export function decodeText(bytes: Buffer, key: string): string {
  const text = decode(bytes, key, 'utf-8');
  if (checkExactText(text)) return text;
  const message = 'The value contains a character that cannot be stored.';
  throw invalidInput({ path: [key], code: 'invalid_text', message });
}

function decode(bytes: Buffer, key: string, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const message = `The body is not valid ${encoding.toUpperCase().slice(0, 6)}.`;
    throw invalidInput({ path: [key], code: 'invalid_encoding', message });
  }
}

/** A byte order mark counts more than the header, which some programs set regardless of the content. */
const decodeMarked = (bytes: Buffer, key: string, charset: string): string =>
  decode(bytes, key, byteOrderMarks[bytes.toString('hex', 0, 2)] ?? charset);

/** Whether the body is text or multipart instead of JSON. */
export function isTextBody(request: IncomingMessage, { mediaType, otherMediaTypes = [] }: TextBody): boolean {
  return [mediaType, ...otherMediaTypes, MULTIPART].includes(mediaTypeOf(request));
}

/** @throws AppError 400 `invalid_request`, 413 `payload_too_large`, 415 unless UTF-8 or UTF-16, 422 */
export async function readText(request: IncomingMessage, body: TextBody): Promise<string> {
  const contentType = request.headers['content-type'] ?? '';
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii|utf-16(?:le|be)?)$/i.test(charset))
    throw new AppError('unsupported_media_type', undefined, 'Send the body in UTF-8 or UTF-16.');
  const encoding = /^utf-16/i.test(charset) ? charset.toLowerCase() : 'utf-8';
  const bytes = await readBytes(request, body.maximumBytes);
  if (mediaTypeOf(request) !== MULTIPART) return decodeMarked(bytes, body.key, encoding);
  if (!/;\s*boundary=/i.test(contentType))
    throw new AppError('invalid_request', undefined, 'The multipart body has no boundary.');
  const part = await readSinglePart(bytes, request.headers as BusboyHeaders, body.part);
  return decodeMarked(part, body.key, 'utf-8');
}
