import { pipeline } from 'node:stream/promises';
import { isStream, type HttpAnswer, type StreamBody, type WholeBody } from './answer.js';
import {
  codedTag,
  codingFor,
  compress,
  compressShared,
  LEAST_COMPRESSED,
  type ContentCoding,
} from './content-coding.js';
import { isNotModified, plainEntity, taggedEntity, type PlainEntity } from './entity.js';
import { isRead, type Exchange, rateHeaders } from './exchange.js';

/** A stream pipeline adds six listeners to those of log, concurrency limit and cache. */
const LISTENERS = 20;

/** All headers except those of the body. */
function headOf(exchange: Exchange, { headers, isPublic, shared }: HttpAnswer): string[] {
  const head = [...(shared ?? exchange.sharedHeaders), 'X-Request-Id', exchange.requestId, ...headers];
  head.push(...exchange.cacheTags(headers));
  if (exchange.ignoredHeaders !== undefined) head.push(...exchange.ignoredHeaders);
  // Caches serve public answers to other callers, who have other limits.
  if (isPublic !== true && exchange.rate !== undefined) head.push(...rateHeaders(exchange.rate));
  return head;
}

/** In the coding that the client accepts, if it is smaller. */
async function compressed(
  entity: PlainEntity,
  body: WholeBody,
  coding: ContentCoding,
): Promise<Buffer | undefined> {
  if (coding === 'identity') return undefined;
  const { bytes } = entity;
  const whole = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  const smaller = await ('bytes' in body ? compressShared(body.bytes, coding) : compress(whole, coding));
  return smaller.length < whole.length ? smaller : undefined;
}

function sendWhole(exchange: Exchange, answer: HttpAnswer, body: WholeBody): void | Promise<void> {
  const { request, response } = exchange;
  const { status } = answer;
  const head = headOf(exchange, answer);
  const isTagged = answer.isPublic === true && status === 200 && isRead(request.method);
  const tagged = isTagged ? taggedEntity(body) : { ...plainEntity(body), tag: undefined };
  const { tag } = tagged;
  const isKnown = tag !== undefined && isNotModified(request.headers['if-none-match'], tag);
  const sendIn = (coding: ContentCoding, entity: PlainEntity): void => {
    if (tag !== undefined) head.push('ETag', codedTag(tag, coding));
    if (isKnown) {
      response.writeHead(304, head).end();
      return;
    }
    if (coding !== 'identity') head.push('Content-Encoding', coding);
    head.push('Content-Type', entity.mediaType, 'Content-Length', String(entity.bytes.length));
    response.writeHead(status, head);
    if (request.method === 'HEAD') response.end();
    else response.end(entity.bytes, 'latin1');
  };
  const isCompressible = answer.isCompressible === true && tagged.bytes.length >= LEAST_COMPRESSED;
  const coding = isCompressible ? codingFor(request.headers['accept-encoding']) : 'identity';
  if (coding === 'identity' || isKnown) {
    sendIn(coding, tagged);
    return;
  }
  return compressed(tagged, body, coding).then((bytes) => {
    if (bytes === undefined) sendIn('identity', tagged);
    else sendIn(coding, { ...tagged, bytes });
  });
}

type Chunk = string | Buffer;

async function* tap(chunks: AsyncIterable<Chunk>, onChunk: (chunk: Chunk) => void): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    onChunk(chunk);
    yield chunk;
  }
}

/** @param onChunk receives every chunk sent */
export async function sendStream(
  exchange: Exchange,
  answer: HttpAnswer & { readonly body: StreamBody },
  onChunk?: (chunk: Chunk) => void,
): Promise<void> {
  const { request, response } = exchange;
  const { stream, mediaType, length } = answer.body;
  const head = [...headOf(exchange, answer), 'Content-Type', mediaType];
  if (length !== undefined) head.push('Content-Length', String(length));
  response.setMaxListeners(LISTENERS);
  response.writeHead(answer.status, head);
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  if (onChunk === undefined) await pipeline(stream, response);
  else await pipeline(stream, (chunks) => tap(chunks as AsyncIterable<Chunk>, onChunk), response);
}

/** Applies shared headers, ETag, 304 and HEAD. Rejects if a stream fails. */
export function sendAnswer(exchange: Exchange, answer: HttpAnswer): void | Promise<void> {
  const { body } = answer;
  if (isStream(body)) return sendStream(exchange, { ...answer, body });
  if (body !== null) return sendWhole(exchange, answer, body);
  exchange.response.writeHead(answer.status, headOf(exchange, answer)).end();
}
