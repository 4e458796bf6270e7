import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from './errno.js';

async function readSecret(file: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new Error(
    `The file ${file} holds no secret: restore its content, or remove the file to have one made.`,
  );
}

/**
 * Reads a secret, or creates one of 32 random bytes (base64url, mode 0600). Concurrent first starts get the same
 * secret, and a crash leaves no partial file.
 * @throws Error when the file has fewer than 32 characters
 */
export async function loadOrCreateSecret(file: string): Promise<string> {
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link never replaces another process's file.
    await link(draft, file);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
  return loadOrCreateSecret(file);
}
