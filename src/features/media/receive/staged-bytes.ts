import { createHash } from 'node:crypto';
import type { StagedFile } from '../../../infrastructure/storage/staged-file.js';

/** A complete file in the staging directory. */
export interface StagedBytes {
  readonly file: StagedFile;
  /** SHA-256 in hexadecimal. */
  readonly checksum: string;
  readonly size: number;
}

/** Hashes what it writes. */
export class HashedFile {
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(private readonly file: StagedFile) {}

  get size(): number {
    return this.#size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    await this.file.write(chunk);
  }

  async finish(): Promise<StagedBytes> {
    await this.file.close();
    return { file: this.file, checksum: this.#hash.digest('hex'), size: this.#size };
  }
}
