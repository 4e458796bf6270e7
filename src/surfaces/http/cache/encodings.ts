import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The forms in which bytes are kept, the best first. */
export type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Both compressed forms of some bytes, made off the main thread. */
export async function compressed(bytes: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gzipped] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 6 })]);
  return { br, gzip: gzipped };
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  return weights;
}

function choose(header: string): Encoding {
  const weights = weightsOf(header);
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const gzipped = weights.get('gzip') ?? any;
  const identity = weights.get('identity') ?? 0;
  if (br > 0 && br >= gzipped && br >= identity) return 'br';
  return gzipped > 0 && gzipped >= identity ? 'gzip' : 'identity';
}

const REMEMBERED = 100;
const chosen = new Map<string, Encoding>();

/** The form that an `Accept-Encoding` header asks for; of equal ones the smallest. */
export function encodingFor(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const known = chosen.get(header);
  if (known !== undefined) return known;
  const encoding = choose(header.slice(0, 1000));
  if (chosen.size >= REMEMBERED) chosen.clear();
  chosen.set(header, encoding);
  return encoding;
}
