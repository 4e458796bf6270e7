import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hasErrorCode } from '../../infrastructure/errno.js';

const Login = z.object({ email: z.string(), password: z.string() });
const Keys = z.object({ delivery: z.string(), preview: z.string(), management: z.string() });

/**
 * What the file holds for certain: it is written with the login alone before anything else is made,
 * so that no later step can lose it.
 */
const StoredCredentials = z.object({
  superAdmin: Login,
  baseUrl: z.string().optional(),
  keys: Keys.partial().optional(),
});
export type StoredCredentials = z.infer<typeof StoredCredentials>;

/** How to reach the demo project: address, slugs, a key of each type, and a super-admin. */
export interface DemoCredentials {
  readonly baseUrl: string;
  readonly tenantSlug: string;
  readonly projectSlug: string;
  readonly siteSlugs: readonly string[];
  readonly locales: readonly string[];
  readonly keys: z.infer<typeof Keys>;
  readonly superAdmin: z.infer<typeof Login>;
}

/** Where the credentials of a data directory are kept. */
export function credentialsFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'credentials.json');
}

/**
 * The stored credentials; undefined where there is no file.
 * @throws Error in one line where the file cannot be understood
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
      `The file ${file} does not hold credentials: restore its content, or remove it to have new ones made.`,
    );
  }
}

/** Replaces the file in one step, readable by this user only. */
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
