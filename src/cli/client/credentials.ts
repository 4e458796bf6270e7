import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hasErrorCode } from '../../infrastructure/errno.js';

const Login = z.object({ email: z.string(), password: z.string() });
const Keys = z.object({ delivery: z.string(), preview: z.string(), management: z.string() });

/**
 * The login is written before anything else is created, so that a later failure cannot lose it.
 */
const StoredCredentials = z.object({
  superAdmin: Login,
  baseUrl: z.string().optional(),
  keys: Keys.partial().optional(),
});
export type StoredCredentials = z.infer<typeof StoredCredentials>;

export interface DemoCredentials {
  readonly baseUrl: string;
  readonly tenantSlug: string;
  readonly projectSlug: string;
  readonly siteSlugs: readonly string[];
  readonly locales: readonly string[];
  readonly keys: z.infer<typeof Keys>;
  readonly superAdmin: z.infer<typeof Login>;
}

export function credentialsFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'credentials.json');
}

/**
 * @throws Error in one line when the file is malformed
 */
export async function readCredentials(dataDirectory: string): Promise<StoredCredentials | undefined> {
  const file = credentialsFile(dataDirectory);
  try {
    return StoredCredentials.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof z.ZodError) && !(error instanceof Error && error.name === 'SyntaxError'))
      throw error;
    throw new Error(
      `The file ${file} does not contain credentials. Restore it, or delete it to create new ones.`,
    );
  }
}

/** Replaces the file atomically; only this user can read it. */
export async function writeCredentials(
  dataDirectory: string,
  credentials: StoredCredentials | DemoCredentials,
): Promise<void> {
  const file = credentialsFile(dataDirectory);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dataDirectory, { recursive: true });
  try {
    await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
