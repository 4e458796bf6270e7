import { isRead } from '../../http/exchange.js';
import type { IncomingMessage } from 'node:http';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { ByteSource } from '../../../../contracts/media/media/media-file.js';
import { jsonAnswer, type HttpAnswer, type HeaderList } from '../../http/answer.js';

/** Media type of the body of a tus PATCH. */
export const TUS = 'application/offset+octet-stream';

const VERSION = '1.0.0';

/** Headers of every response to a tus client. */
export const TUS_VERSION: HeaderList = ['Tus-Resumable', VERSION, 'Tus-Version', VERSION];

const isTusClient = ({ headers }: IncomingMessage): boolean => headers['tus-resumable'] !== undefined;

/** @throws AppError 412 `precondition_failed` for another version of the protocol, or tus without one */
export function assertTusVersion(request: IncomingMessage): void {
  const version = request.headers['tus-resumable'];
  const isMissing = version === undefined && hasTusBody(request);
  if (isMissing || (version !== undefined && version !== VERSION))
    throw new AppError(
      'precondition_failed',
      { supported: [VERSION] },
      'Send the header Tus-Resumable: 1.0.0, the only version of tus that is supported.',
    );
}

export const hasTusBody = ({ method, headers }: IncomingMessage): boolean =>
  method === 'PATCH' && (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === TUS;

function offsetIn({ headers }: IncomingMessage): number {
  const text = String(headers['upload-offset'] ?? '');
  const offset = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (offset !== undefined) return offset;
  const message = 'Must be the number of bytes that have arrived.';
  throw invalidInput({ path: ['Upload-Offset'], code: 'invalid_format', message });
}

/**
 * The input of a PATCH, whose body is read while the operation runs.
 * @throws AppError 415 if compressed, 422 `validation_failed`
 */
export function tusInput(request: IncomingMessage): { offset: number; content: ByteSource } {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw new AppError('unsupported_media_type', undefined, 'Send the body without Content-Encoding.');
  const content: ByteSource = {
    size: length === undefined ? undefined : Number(length),
    // A refused body is discarded, so that the response arrives.
    open: () => request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
  };
  return { offset: offsetIn(request), content };
}

interface ShownUpload {
  readonly offset?: number | null;
  readonly size?: number;
  readonly expiresAt?: string;
}

function uploadHeaders({ offset, size, expiresAt }: ShownUpload): HeaderList {
  if (typeof offset !== 'number') return [];
  const expires = expiresAt === undefined ? [] : ['Upload-Expires', new Date(expiresAt).toUTCString()];
  return ['Upload-Offset', String(offset), 'Upload-Length', String(size), ...expires];
}

/** JSON with the headers of tus, or these alone for tus clients that write. */
export function tusAnswer(
  request: IncomingMessage,
  output: { readonly data: ShownUpload },
  headers: HeaderList,
): HttpAnswer {
  const all = [...headers, ...TUS_VERSION, ...uploadHeaders(output.data)];
  const isBare = !isRead(request.method) && (isTusClient(request) || hasTusBody(request));
  return isBare ? { status: 204, headers: all, body: null } : jsonAnswer(200, output, all);
}
