const BLOCK = 512;
/** Octal numbers have no room for more. */
const LARGEST = 8 ** 11 - 1;

export const TAR_END = Buffer.alloc(2 * BLOCK);

const checksumOf = (header: Buffer): number => {
  let sum = 0;
  // The checksum itself counts as spaces.
  for (let index = 0; index < BLOCK; index += 1)
    sum += index >= 148 && index < 156 ? 32 : (header[index] ?? 0);
  return sum;
};

/** Header of a file in the format ustar. */
export function tarHeader(name: string, size: number): Buffer {
  if (size > LARGEST) throw new Error(`${name} has more than 8 GiB: export to a folder instead`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

export class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem';
}

interface TarItem {
  readonly name: string;
  readonly size: number;
  /** `0` for a file, `5` for a folder. */
  readonly type: string;
}

/** Takes blocks of any length from a stream. */
class Chunks {
  readonly #source: AsyncIterator<Buffer>;
  #rest = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Up to `length` bytes, at least one; undefined at the end. */
  async some(length: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) return undefined;
      this.#rest = Buffer.from(next.value);
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  async exactly(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0;) {
      const part = await this.some(left);
      if (part === undefined) return undefined;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }
}

const textAt = (header: Buffer, start: number, length: number): string =>
  header
    .subarray(start, start + length)
    .toString('utf8')
    .replace(/\0.*$/s, '');

/** @throws ArchiveProblem */
function itemOf(header: Buffer): TarItem {
  if (checksumOf(header) !== Number.parseInt(textAt(header, 148, 8), 8))
    throw new ArchiveProblem('is damaged, or no tar archive');
  const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : '';
  const own = textAt(header, 0, 100);
  const digits = textAt(header, 124, 12).trim();
  if (!/^[0-7]{1,12}$/.test(digits)) throw new ArchiveProblem(`has a file ${own} of an unknown size`);
  const name = (prefix === '' ? own : `${prefix}/${own}`).replace(/^\.\//, '');
  return { name, size: Number.parseInt(digits, 8), type: textAt(header, 156, 1) || '0' };
}

/** The items of an archive with their bytes, which must be read before the next item. @throws ArchiveProblem */
export async function* tarItems(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<TarItem & { readonly bytes: AsyncGenerator<Buffer> }> {
  const chunks = new Chunks(source);
  for (;;) {
    const header = await chunks.exactly(BLOCK);
    if (header === undefined) throw new ArchiveProblem('is incomplete: its end is missing');
    if (header.every((byte) => byte === 0)) return;
    const item = itemOf(header);
    const bytes = (async function* () {
      for (let left = item.size; left > 0;) {
        const part = await chunks.some(left);
        if (part === undefined) throw new ArchiveProblem(`is incomplete: it ends in ${item.name}`);
        left -= part.length;
        yield part;
      }
    })();
    yield { ...item, bytes };
    await chunks.exactly(tarPadding(item.size).length);
  }
}
