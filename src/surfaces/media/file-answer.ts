import { AppError } from '../../../contracts/errors.js';
import type { FileBytes, ServedFile } from '../../features/media/index.js';
import type { ByteRange } from '../../infrastructure/storage/media-storage.js';
import type { Answer, HeaderList, StoredBody } from '../http/answer.js';
import { isNotModified } from '../http/entity.js';
import type { Exchange } from '../http/exchange.js';
import { failureAnswer } from '../http/failure-answer.js';
import { rangeOf } from './byte-range.js';
import { contentType, entityTag, fileHeaders, fileSecurity, NOT_MODIFIED_SHARED } from './file-headers.js';

interface Serving {
  readonly exchange: Exchange;
  readonly file: ServedFile;
  readonly projectSlug: string;
}

/** The bytes must not change between the parts of a download. */
function wantsPart({ exchange: { request }, file }: Serving): string | undefined {
  const { range, 'if-range': condition } = request.headers;
  return condition === undefined || condition === entityTag(file) ? range : undefined;
}

interface Response {
  readonly status: number;
  readonly body: StoredBody;
  readonly headers?: HeaderList;
}

function answerOf(serving: Serving, { status, body, headers = [] }: Response): Answer {
  const { exchange, file, projectSlug } = serving;
  const { cache, content } = fileHeaders(file, projectSlug);
  return {
    status,
    shared: fileSecurity(exchange.sharedHeaders),
    headers: [...cache, ...content, ...headers],
    body,
  };
}

const bodyOf = ({ file }: Serving, bytes: FileBytes, length: number): StoredBody => {
  const mediaType = contentType(file);
  return Buffer.isBuffer(bytes) ? { bytes, mediaType } : { stream: bytes, isStored: true, mediaType, length };
};

const missing = (): AppError => new AppError('media_not_found');

function discard(bytes: FileBytes): void {
  if (!Buffer.isBuffer(bytes)) bytes.destroy();
}

async function partAnswer(serving: Serving, range: ByteRange, size: number): Promise<Answer> {
  const bytes = await serving.file.readPart(range);
  if (bytes === undefined) throw missing();
  const { start, end } = range;
  const headers = ['Content-Range', `bytes ${String(start)}-${String(end)}/${String(size)}`];
  return answerOf(serving, { status: 206, body: bodyOf(serving, bytes, end - start + 1), headers });
}

function outside({ exchange }: Serving, size: number): Answer {
  return failureAnswer(exchange, new AppError('range_not_satisfiable'), [
    'Content-Range',
    `bytes */${String(size)}`,
  ]);
}

/** Undefined if the whole file is to be sent. */
async function rangeAnswer(serving: Serving, header: string, size: number): Promise<Answer | undefined> {
  const range = rangeOf(header, size);
  if (range === undefined) return undefined;
  return range === null ? outside(serving, size) : partAnswer(serving, range, size);
}

async function read(serving: Serving): Promise<Answer> {
  const { file } = serving;
  const header = wantsPart(serving);
  if (header !== undefined && file.size !== undefined) {
    const answer = await rangeAnswer(serving, header, file.size);
    if (answer !== undefined) return answer;
  }
  const found = await file.read();
  if (found === undefined) throw missing();
  if (header !== undefined && file.size === undefined) {
    const answer = await rangeAnswer(serving, header, found.size);
    if (answer !== undefined) {
      discard(found.bytes);
      return answer;
    }
  }
  return answerOf(serving, { status: 200, body: bodyOf(serving, found.bytes, found.size) });
}

/** The response to a GET or HEAD of a file: 200, 206, 304, 404 or 416. */
export function fileAnswer(serving: Serving): Answer | Promise<Answer> {
  const { exchange, file, projectSlug } = serving;
  const { headers } = exchange.request;
  if (isNotModified(headers['if-none-match'], entityTag(file)))
    return {
      status: 304,
      shared: NOT_MODIFIED_SHARED,
      headers: fileHeaders(file, projectSlug).cache,
      body: null,
    };
  const known = headers.range === undefined ? file.peek() : undefined;
  if (known !== undefined)
    return answerOf(serving, { status: 200, body: bodyOf(serving, known, known.length) });
  return read(serving);
}
