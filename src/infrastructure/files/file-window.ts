import { open, type FileHandle } from 'node:fs/promises';

const WINDOW_BYTES = 64 * 1024;

/** The file contradicts its own format. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** Reads a file at any position through one window, so that memory stays flat. */
export class FileWindow {
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  /** Closes the file after `work`. */
  static async use<T>(file: string, work: (window: FileWindow) => Promise<T>): Promise<T> {
    const handle = await open(file, 'r');
    try {
      return await work(new FileWindow(handle, (await handle.stat()).size));
    } finally {
      await handle.close();
    }
  }

  /** Exactly `length` bytes, at most 64 KB. @throws DamagedFile beyond the end */
  async bytes(position: number, length: number): Promise<Buffer> {
    if (!Number.isSafeInteger(position) || position < 0 || position + length > this.size)
      throw new DamagedFile('the file ends too early');
    const at = position - this.#start;
    if (at < 0 || at + length > this.#bytes.length) await this.#fill(position);
    return this.#bytes.subarray(position - this.#start, position - this.#start + length);
  }

  /** What the window holds from `position`; empty at the end. */
  async chunk(position: number): Promise<Buffer> {
    if (position >= this.size) return Buffer.alloc(0);
    if (position < this.#start || position >= this.#start + this.#bytes.length) await this.#fill(position);
    return this.#bytes.subarray(position - this.#start);
  }

  async #fill(position: number): Promise<void> {
    const bytes = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, this.size - position));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.handle.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) throw new DamagedFile('the file ends too early');
      filled += bytesRead;
    }
    this.#start = position;
    this.#bytes = bytes;
  }
}
