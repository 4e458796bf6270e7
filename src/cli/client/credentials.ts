import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hasErrorCode } from '../../infrastructure/errno.js';

const Login = z.object({ email: z.string(), password: z.string() });
const Keys = z.object({ delivery: z.string(), preview: z.string(), management: z.string() });

const Members = z.object({ editor: Login, translator: Login, reviewer: Login }).partial();
/** Logins of the demo's members. */
export type DemoMembers = z.infer<typeof Members>;

const StoredCredentials = z.object({
  superAdmin: Login,
  baseUrl: z.string().optional(),
  keys: Keys.partial().optional(),
  members: Members.optional(),
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
  readonly members: DemoMembers;
}

export function credentialsFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'credentials.json');
}

/** Has the login while the rest is being created, so that `credentials.json` is complete as soon as it exists. */
const pendingLoginFile = (dataDirectory: string): string => `${credentialsFile(dataDirectory)}.pending`;

/** @throws Error in one line when the file is malformed */
async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof z.ZodError) && !(error instanceof Error && error.name === 'SyntaxError'))
      throw error;
    throw new Error(
      `The file ${file} does not contain credentials. Restore it, or delete it to create new ones.`,
    );
  }
}

/** What the commands of the README read. */
export function commandsFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'demo.env');
}

/** Replaces the file atomically; only this user can read it. */
async function writeFileWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

const writeJson = (file: string, content: object): Promise<void> =>
  writeFileWhole(file, `${JSON.stringify(content, null, 2)}\n`);

/** In quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Variables that a shell reads with `. demo.env`. */
function shellVariables({ baseUrl, keys, superAdmin }: DemoCredentials): string {
  const variables = {
    URL: baseUrl,
    DELIVERY: keys.delivery,
    PREVIEW: keys.preview,
    MANAGEMENT: keys.management,
    LOGIN: JSON.stringify(superAdmin),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
}

/**
 * A pending login is newer than that of the complete file.
 * @throws Error in one line when a file is malformed
 */
export async function readCredentials(dataDirectory: string): Promise<StoredCredentials | undefined> {
  const stored = await readJson(credentialsFile(dataDirectory), StoredCredentials);
  const superAdmin = await readJson(pendingLoginFile(dataDirectory), Login);
  return superAdmin === undefined ? stored : { ...stored, superAdmin };
}

/** Keeps a login that is about to be created, so that a later failure cannot lose it. */
export function keepPendingLogin(dataDirectory: string, login: z.infer<typeof Login>): Promise<void> {
  return writeJson(pendingLoginFile(dataDirectory), login);
}

/** Replaces the complete file and deletes the pending login. Those of a demo are also written for a shell. */
export async function writeCredentials(
  dataDirectory: string,
  credentials: StoredCredentials | DemoCredentials,
): Promise<void> {
  if ('siteSlugs' in credentials)
    await writeFileWhole(commandsFile(dataDirectory), shellVariables(credentials));
  await writeJson(credentialsFile(dataDirectory), credentials);
  await rm(pendingLoginFile(dataDirectory), { force: true });
}
