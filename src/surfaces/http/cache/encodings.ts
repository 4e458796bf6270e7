import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** In order of size, for clients without a preference. */
const PREFERRED: Encoding[] = ['br', 'gzip', 'identity'];

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Runs off the main thread. */
export async function compress(bytes: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gzipped] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 6 })]);
  return { br, gzip: gzipped };
}

/** The types of negotiator 0.6 lack the second parameter. */
interface EncodingNegotiator {
  encodings(available: Encoding[], options: { preferred: Encoding[] }): Encoding[];
}

function negotiate(header: string): Encoding {
  const negotiator: unknown = new Negotiator({ headers: { 'accept-encoding': header } });
  const options = { preferred: PREFERRED };
  return (negotiator as EncodingNegotiator).encodings(PREFERRED, options)[0] ?? 'identity';
}

const MEMOISED = 100;
const negotiated = new Map<string, Encoding>();

export function encodingFor(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  const encoding = negotiate(header.slice(0, 1000));
  if (negotiated.size >= MEMOISED) negotiated.clear();
  negotiated.set(header, encoding);
  return encoding;
}
