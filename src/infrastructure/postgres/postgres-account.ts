import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '../errno.js';

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
    'The embedded database does not run as root, and there is neither a user "postgres" nor "nobody": add one, or set DATABASE_URL.',
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
