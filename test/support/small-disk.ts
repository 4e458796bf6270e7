import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { postgresAccount } from '../../src/infrastructure/postgres/postgres-binaries.js';

const FILLER = 'filler';
const BLOCK = 4096;

/** A file system of a few megabytes in memory, for a tablespace of the server of the tests. Only root can mount it. */
export class SmallDisk {
  readonly #mountPoint: string;

  private constructor(megabytes: number) {
    this.#mountPoint = mkdtempSync(path.join(tmpdir(), 'headwater-small-disk-'));
    chmodSync(this.#mountPoint, 0o711);
    const options = ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'tmpfs', this.#mountPoint];
    const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' });
    if (status !== 0) {
      rmSync(this.#mountPoint, { recursive: true });
      throw new Error(`A small disk cannot be mounted: ${stderr}`);
    }
  }

  /** Why there can be none here; undefined if it can be mounted. */
  static obstacle(): string | undefined {
    if (process.getuid?.() !== 0) return 'mounting requires root';
    if (process.env.TEST_DATABASE_URL) return 'the server of TEST_DATABASE_URL may be on another machine';
    try {
      new SmallDisk(1).unmount();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** With a directory that belongs to the server's account. */
  static async mount(megabytes: number): Promise<{ disk: SmallDisk; directory: string }> {
    const disk = new SmallDisk(megabytes);
    const directory = path.join(disk.#mountPoint, 'tablespace');
    mkdirSync(directory, { mode: 0o700 });
    const account = await postgresAccount(directory);
    if (account !== undefined) chownSync(directory, account.uid, account.gid);
    return { disk, directory };
  }

  /** Leaves no free block. */
  async fill(): Promise<void> {
    const file = await open(path.join(this.#mountPoint, FILLER), 'a');
    const block = Buffer.alloc(BLOCK, 1);
    try {
      for (;;) await file.write(block);
    } catch {
      // The disk is full.
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(path.join(this.#mountPoint, FILLER), { force: true });
  }

  unmount(): void {
    spawnSync('umount', ['--lazy', this.#mountPoint]);
    rmSync(this.#mountPoint, { recursive: true, force: true });
  }
}
