import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type ContentCoding = 'br' | 'gzip' | 'identity';
export type CompressedCoding = Exclude<ContentCoding, 'identity'>;

/** In order of size, for clients without a preference. */
const PREFERRED: ContentCoding[] = ['br', 'gzip', 'identity'];
/** Smaller bodies fit into one packet. */
export const LEAST_COMPRESSED = 1024;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Runs off the main thread. */
export function compress(bytes: Buffer, coding: CompressedCoding): Promise<Buffer> {
  if (coding === 'gzip') return deflate(bytes, { level: 6 });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotli(bytes, { params });
}

/** The types of negotiator 0.6 lack the second parameter. */
interface CodingNegotiator {
  encodings(available: ContentCoding[], options: { preferred: ContentCoding[] }): ContentCoding[];
}

function negotiate(header: string): ContentCoding {
  const negotiator: unknown = new Negotiator({ headers: { 'accept-encoding': header } });
  const options = { preferred: PREFERRED };
  return (negotiator as CodingNegotiator).encodings(PREFERRED, options)[0] ?? 'identity';
}

const MEMOISED = 100;
const negotiated = new Map<string, ContentCoding>();

/** @param header `Accept-Encoding` */
export function codingFor(header: string | undefined): ContentCoding {
  if (header === undefined || header === '') return 'identity';
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  const coding = negotiate(header.slice(0, 1000));
  if (negotiated.size >= MEMOISED) negotiated.clear();
  negotiated.set(header, coding);
  return coding;
}

/** The entity tag of a body in a coding. */
export const codedTag = (tag: string, coding: ContentCoding): string =>
  coding === 'identity' ? tag : tag.replace(/"$/, `-${coding}"`);

const shared = new WeakMap<Buffer, Map<CompressedCoding, Promise<Buffer>>>();

/** Bytes that several answers share are compressed once. */
export function compressShared(bytes: Buffer, coding: CompressedCoding): Promise<Buffer> {
  const known = shared.get(bytes) ?? new Map<CompressedCoding, Promise<Buffer>>();
  shared.set(bytes, known);
  const found = known.get(coding) ?? compress(bytes, coding);
  known.set(coding, found);
  return found;
}
