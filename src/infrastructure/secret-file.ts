import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new Error(`The file ${file} holds no secret: restore its content, or remove the file to have one made.`);
}

/**
 * The secret kept in a file: read, or made (32 random bytes, base64url) and stored for this user only (0600).
 * Two processes that race for the first start end up with the same one.
 * @throws Error when the file is there but holds fewer than 32 characters, as after a crash in mid-write
 */
export async function loadOrCreateSecret(file: string): Promise<string> {
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  await mkdir(path.dirname(file), { recursive: true });
  const secret = randomBytes(32).toString('base64url');
  try {
    await using handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
    return secret;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return loadOrCreateSecret(file);
    throw error;
  }
}
