import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Entries that an import has written, in a file, so that a run that was stopped continues. */
export class ImportState {
  /** Of a run that writes nothing. */
  static readonly none = new ImportState('', '', new Set());

  #written = Promise.resolve();

  private constructor(
    private readonly file: string,
    private readonly identity: string,
    private readonly done: Set<string>,
  ) {}

  /**
   * The file exists once something is done, so that a run that fails before that does not stop the next one.
   * @param isResumed false starts over
   * @throws Error with one line for people if the file is of another import
   */
  static async open(
    file: string,
    { identity, isResumed }: { identity: string; isResumed: boolean },
  ): Promise<ImportState> {
    const text = isResumed ? await readFile(file, 'utf8').catch(() => undefined) : undefined;
    // A line that was being written when the run was stopped is incomplete.
    const [first, ...lines] = (text ?? '').split('\n').slice(0, -1);
    if (lines.length === 0) {
      await rm(file, { force: true });
      return new ImportState(file, identity, new Set());
    }
    if (first !== identity)
      throw new Error(`${file} belongs to another import. Run the command without --resume to start over.`);
    return new ImportState(file, identity, new Set(lines));
  }

  /** Whether there is nothing to continue. */
  get isEmpty(): boolean {
    return this.done.size === 0;
  }

  has(key: string): boolean {
    return this.done.has(key);
  }

  async add(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const head = this.isEmpty ? `${this.identity}\n` : '';
    for (const key of keys) this.done.add(key);
    const lines = keys.map((key) => `${key}\n`).join('');
    // One after the other: the first line names the import.
    this.#written = this.#written.then(() => appendFile(this.file, `${head}${lines}`));
    await this.#written;
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}

/** Differs with every export, project and site. */
export async function identityOf(file: string, ...names: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(names));
  if (!(await stat(file)).isDirectory()) await pipeline(createReadStream(file), hash);
  else
    for (const name of (await readdir(file, { recursive: true })).sort()) {
      const { size, mtimeMs } = await stat(path.join(file, name));
      hash.update(JSON.stringify([name, size, mtimeMs]));
    }
  return hash.digest('hex');
}
