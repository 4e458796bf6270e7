import { Readable } from 'node:stream';
import type { ZipFile } from 'yazl';
import { StagedFile } from '../storage/staged-file.js';
import { awaitedLater, settled } from '../promises.js';

/** An archive that grows in a directory of temporary files. Memory holds one member. */
export class ZipWriter {
  readonly #written: Promise<void>;

  private constructor(
    private readonly zip: ZipFile,
    private readonly file: StagedFile,
    private readonly time: Date,
  ) {
    // Its failure is reported by `add` and `finish`.
    this.#written = awaitedLater(this.#write());
  }

  /** @param time of every member, so that equal content gives equal bytes */
  static async create(staging: string, time: Date): Promise<ZipWriter> {
    const { ZipFile: Zip } = await import('yazl');
    return new ZipWriter(new Zip(), await StagedFile.create(staging), time);
  }

  /** One at a time. @throws StorageFailure */
  async add(name: string, content: string): Promise<void> {
    let bytes: Buffer | undefined = Buffer.from(content);
    const { promise: added, resolve } = Promise.withResolvers<undefined>();
    const options = { mtime: this.time, mode: 0o100644, size: bytes.length };
    this.zip.addReadStreamLazy(name, options, (deliver) => {
      const stream = Readable.from([bytes]);
      // The archive keeps this function to its end.
      bytes = undefined;
      stream.once('end', resolve);
      deliver(null, stream);
    });
    await Promise.race([added, this.#written]);
  }

  /**
   * Returns the path of the complete file.
   * @throws StorageFailure
   */
  async finish(): Promise<string> {
    this.zip.end();
    await this.#written;
    return this.file.path;
  }

  /** Also after {@link finish}, and if the file has moved. */
  async discard(): Promise<void> {
    (this.zip.outputStream as Readable).destroy();
    await settled(this.#written);
    await this.file.discard();
  }

  async #write(): Promise<void> {
    for await (const chunk of this.zip.outputStream) await this.file.write(chunk as Buffer);
    await this.file.close();
  }
}
