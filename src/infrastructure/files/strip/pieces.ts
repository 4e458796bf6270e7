import type { FileWindow } from '../file-window.js';

/** A part of the uploaded file, or bytes in its place. */
type Piece = Buffer | { start: number; end: number };

const ZEROS = Buffer.alloc(64 * 1024);

/** The file to publish, as parts of the uploaded one. */
export class Pieces {
  readonly #pieces: Piece[] = [];

  /** @param end exclusive */
  keep(start: number, end: number): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && !Buffer.isBuffer(last) && last.end === start) last.end = end;
    else if (end > start) this.#pieces.push({ start, end });
  }

  insert(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  zeros(length: number): void {
    for (let left = length; left > 0; left -= ZEROS.length) this.insert(ZEROS.subarray(0, left));
  }

  /** Whether nothing changes. */
  isAll({ size }: FileWindow): boolean {
    const [first, ...others] = this.#pieces;
    return (
      others.length === 0 &&
      first !== undefined &&
      !Buffer.isBuffer(first) &&
      first.end - first.start === size
    );
  }

  async *bytes(window: FileWindow): AsyncGenerator<Buffer> {
    for (const piece of this.#pieces) {
      if (Buffer.isBuffer(piece)) yield piece;
      else yield* rangeOf(window, piece.start, piece.end);
    }
  }
}

async function* rangeOf(window: FileWindow, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const chunk = (await window.chunk(at)).subarray(0, end - at);
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}
