import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const LONGEST_LINE = 1_048_576;
const NEWLINE = 0x0a;
/** Ends rows that are not empty; after the line of a section, `\.` follows at once. */
const rowsEnd = Buffer.from('\n\\.\n');

/** Reads lines of JSON, rows of tables and files in turn, and hashes what it has read. */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash('sha256');
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  static open(file: string): ArchiveReader {
    const source = createReadStream(file);
    const lines = createGunzip();
    source.on('error', (error) => lines.destroy(error));
    return new ArchiveReader(source.pipe(lines));
  }

  /**
   * The next line and the hash of everything before it.
   * @throws Error when the file ends
   */
  async line(): Promise<{ readonly text: string; readonly hashBefore: string }> {
    let end = this.#buffer.indexOf(NEWLINE);
    while (end === -1) {
      if (this.#buffer.length > LONGEST_LINE) throw new Error('A line of the backup is too long.');
      if (!(await this.#fill())) throw new Error('The backup is incomplete: it ends too early.');
      end = this.#buffer.indexOf(NEWLINE);
    }
    const hashBefore = this.#hash.copy().digest('hex');
    return { text: this.#take(end + 1).toString('utf8'), hashBefore };
  }

  /** The rows up to the line that ends them, with that line consumed. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#buffer.length < 3) await this.#demand();
    if (this.#buffer.subarray(0, 3).equals(rowsEnd.subarray(1))) {
      this.#take(3);
      return;
    }
    for (;;) {
      const end = this.#buffer.indexOf(rowsEnd);
      if (end !== -1) {
        yield this.#take(end + 1);
        this.#take(rowsEnd.length - 1);
        return;
      }
      // The end may be cut between two chunks.
      const safe = this.#buffer.length - (rowsEnd.length - 1);
      if (safe > 0) yield this.#take(safe);
      await this.#demand();
    }
  }

  /** The next `length` bytes. */
  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#buffer.length === 0) await this.#demand();
      const taken = this.#take(Math.min(left, this.#buffer.length));
      left -= taken.length;
      yield taken;
    }
  }

  /** @throws Error when something follows */
  async assertEnd(): Promise<void> {
    if (this.#buffer.length > 0 || (await this.#fill())) throw new Error('The backup goes on after its end.');
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    this.#hash.update(taken);
    return taken;
  }

  async #demand(): Promise<void> {
    if (!(await this.#fill())) throw new Error('The backup is incomplete: it ends too early.');
  }

  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#buffer = this.#buffer.length === 0 ? next.value : Buffer.concat([this.#buffer, next.value]);
    return true;
  }
}
