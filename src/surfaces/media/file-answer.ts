import { AppError } from '../../../contracts/errors.js';
import { fileRefusal, type ServedFile, type FileBytes } from '../../features/media/media/index.js';
import { surrogateKeys } from '../../infrastructure/cache-tags.js';
import { exportKey, type ByteRange } from '../../infrastructure/storage/media-storage.js';
import type { Catalog } from '../../content/catalog.js';
import { exportPath, type ExportAddress } from '../../features/editorial/translations/index.js';
import { isUuid } from '../../infrastructure/ids.js';
import type { Services } from '../../procedures/index.js';
import type { HeaderList, HttpAnswer, StoredBody } from '../http/answer.js';
import { isNotModified } from '../http/entity.js';
import type { Exchange } from '../http/exchange.js';
import { failureAnswer } from '../http/failure-answer.js';

const INLINE = /^(?:image|audio|video)\/|^application\/pdf$/;

/** RFC 8187 leaves these unescaped, unlike `encodeURIComponent`. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function disposition({ mimeType, fileName }: ServedFile): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const kind = INLINE.test(mimeType) ? 'inline' : 'attachment';
  const extended = plain === fileName ? '' : `; filename*=UTF-8''${escaped(fileName)}`;
  return `${kind}; filename="${plain}"${extended}`;
}

function cacheControl({ caching }: ServedFile): string {
  if (caching === 'immutable') return 'public, max-age=31536000, immutable';
  if (caching === 'revalidated') return 'public, max-age=3600, stale-while-revalidate=86400';
  return `private, max-age=${String(caching.privateSeconds)}`;
}

export const contentType = ({ mimeType }: ServedFile): string =>
  /^text\/|\/(?:json|x-subrip)$/.test(mimeType) ? `${mimeType}; charset=utf-8` : mimeType;

export const entityTag = ({ tag }: ServedFile): string => `"${tag}"`;

function cacheHeaders(file: ServedFile, projectSlug: string): HeaderList {
  const keys = `${surrogateKeys.media(file.assetId)} ${surrogateKeys.project(projectSlug)}`;
  const headers = ['Cache-Control', cacheControl(file), 'ETag', entityTag(file), 'Surrogate-Key', keys];
  return file.variesByAccept ? [...headers, 'Vary', 'Accept'] : headers;
}

interface FileHeaders {
  /** What 304 repeats. */
  readonly cache: HeaderList;
  readonly content: HeaderList;
}

const known = new WeakMap<ServedFile, FileHeaders>();

/** Made once per file in memory. */
export function fileHeaders(file: ServedFile, projectSlug: string): FileHeaders {
  const made = known.get(file) ?? {
    cache: cacheHeaders(file, projectSlug),
    content: ['Accept-Ranges', 'bytes', 'Content-Disposition', disposition(file)],
  };
  known.set(file, made);
  return made;
}

const secured = new WeakMap<HeaderList, HeaderList>();

/** Nothing in a file runs, loads or navigates, whatever a browser takes it for. */
export function fileSecurity(shared: HeaderList): HeaderList {
  const made = secured.get(shared);
  if (made !== undefined) return made;
  const headers = [...shared];
  headers[headers.indexOf('Content-Security-Policy') + 1] = "sandbox; default-src 'none'";
  secured.set(shared, headers);
  return headers;
}

/** The client has the other headers of the file. */
export const NOT_MODIFIED_SHARED: HeaderList = ['Access-Control-Allow-Origin', '*'];

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The range of a `Range` header. Undefined for one that is malformed or names several ranges: the whole file is sent
 * (RFC 9110 §14.2). Null if it lies outside the file.
 */
function rangeOf(header: string, size: number): ByteRange | null | undefined {
  const found = SINGLE.exec(header.trim());
  if (found === null) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return null;
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

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

function answerOf(serving: Serving, { status, body, headers = [] }: Response): HttpAnswer {
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

async function partAnswer(serving: Serving, range: ByteRange, size: number): Promise<HttpAnswer> {
  const bytes = await serving.file.readPart(range);
  if (bytes === undefined) throw missing();
  const { start, end } = range;
  const headers = ['Content-Range', `bytes ${String(start)}-${String(end)}/${String(size)}`];
  return answerOf(serving, { status: 206, body: bodyOf(serving, bytes, end - start + 1), headers });
}

function outside({ exchange }: Serving, size: number): HttpAnswer {
  return failureAnswer(exchange, new AppError('range_not_satisfiable'), [
    'Content-Range',
    `bytes */${String(size)}`,
  ]);
}

/** Undefined if the whole file is to be sent. */
async function rangeAnswer(serving: Serving, header: string, size: number): Promise<HttpAnswer | undefined> {
  const range = rangeOf(header, size);
  if (range === undefined) return undefined;
  return range === null ? outside(serving, size) : partAnswer(serving, range, size);
}

async function read(serving: Serving): Promise<HttpAnswer> {
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
export function fileAnswer(serving: Serving): HttpAnswer | Promise<HttpAnswer> {
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

export const ARCHIVE_ROUTE = '/media/{projectSlug}/exports/{jobId}/{fileName}';

const PATH = /^\/media\/([a-z0-9-]{1,200})\/exports\/([0-9a-f-]{36})\/([A-Za-z0-9-]{1,300}\.zip)$/;

interface ArchiveAddress extends ExportAddress {
  readonly query: URLSearchParams;
}

/** Undefined if it cannot be the URL of an archive. */
export function archiveIn(url: string): ArchiveAddress | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const [, projectSlug = '', jobId = '', fileName = ''] = PATH.exec(path) ?? [];
  return isUuid(jobId) ? { projectSlug, jobId, fileName, query: new URLSearchParams(query) } : undefined;
}

/**
 * The archive of an export, for everyone who has its signed URL.
 * @throws AppError 403 `invalid_signature`, 404 `media_not_found`, 503 `storage_unavailable`
 */
export async function archiveAnswer(
  exchange: Exchange,
  address: ArchiveAddress,
  { services, catalog }: { readonly services: Services; readonly catalog: Catalog },
): Promise<HttpAnswer> {
  const { jobId, fileName, query } = address;
  const { storage, urls } = services.media;
  if (!urls.signatures.isValid(exportPath(address), query, services.clock()))
    throw new AppError('invalid_signature');
  await services.keyActivity.assertActive(query.get('key'), catalog.data, 'invalid_signature');
  const found = await storage.read(exportKey(catalog.data.tenant.id, jobId)).catch((error: unknown) => {
    throw fileRefusal(error);
  });
  if (found === undefined) throw new AppError('media_not_found');
  return {
    status: 200,
    shared: fileSecurity(exchange.sharedHeaders),
    headers: [
      'Cache-Control',
      'private, no-store',
      'Content-Disposition',
      `attachment; filename="${fileName}"`,
    ],
    body: { stream: found.stream, isStored: true, mediaType: 'application/zip', length: found.size },
  };
}
