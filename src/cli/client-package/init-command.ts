import { cp, mkdir, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { RestOperations } from '../client/rest-operations.js';
import { printRestTypes, readRestSchema } from '../types/rest-types.js';

export const initUsage =
  'headwater init astro|next [<folder>] --url <service> --project <project> --site <site> [--key <key>] [--types-key <management key>]';

export const initHelp = `Usage: ${initUsage}

Writes a site with Astro or Next into a folder that is empty or does not exist, by default this one. It has pages with rich
text and pictures, previews, redirects, search, and a webhook that renews its pages. Its README says how it is started.

  --url        address of the service, by default HEADWATER_URL
  --project    slug
  --site       slug
  --key        delivery key, by default HEADWATER_KEY; without one the site reads as everyone
  --types-key  management key with which the types of the content are written, by default the --key; it is not stored

A management key as --key is not stored either, because visitors would see drafts with it.
`;

interface Console {
  readonly directory: string;
  print(text: string): void;
}

/** Beside the command: only the package has starters. */
async function starterOf(name: string): Promise<string> {
  const place = path.join(path.dirname(await realpath(process.argv[1] ?? '')), 'starters');
  const names = await readdir(place).catch(() => {
    throw new Error('Starters are in the package headwater-client: run its command.');
  });
  if (!names.includes(name))
    throw new Error(`There are starters for: ${names.join(', ')}. Usage: ${initUsage}`);
  return path.join(place, name);
}

async function mustBeEmpty(folder: string, name: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`${name} is not a folder.`, { cause: error });
  });
  if (found.length > 0) throw new Error(`${name} is not empty. Name another folder.`);
}

/** A value of an env file: what ends a line or a quote cannot be in it. */
function settingLine(name: string, value: string): string {
  if (/["\r\n\\]/.test(value)) throw new Error(`${name} has characters that a setting cannot have.`);
  return `${name}="${value}"\n`;
}

const MANAGEMENT = 'hwm_';
const TIMEOUT_MS = 15_000;

interface Place {
  readonly starter: string;
  /** As the caller names it. */
  readonly name: string;
  readonly url: string;
  readonly project: string;
  readonly site: string;
  /** Empty for none. */
  readonly key: string;
  readonly typesKey: string;
}

function placeOf(args: readonly string[]): Place {
  const text = { type: 'string' } as const;
  const options = { url: text, project: text, site: text, key: text, 'types-key': text } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [starter = '', name = '.', ...rest] = positionals;
  const { url = process.env.HEADWATER_URL, project, site, key = process.env.HEADWATER_KEY ?? '' } = values;
  if (rest.length > 0) throw new Error(`Name one folder. Usage: ${initUsage}`);
  if (!url || !URL.canParse(url))
    throw new Error('Set the address of the service with --url or HEADWATER_URL.');
  if (!project || !site) throw new Error(`Name a project and a site. Usage: ${initUsage}`);
  return { starter, name, url, project, site, key, typesKey: values['types-key'] ?? key };
}

async function writeSite(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(source, folder, { recursive: true });
  // npm leaves files of these names out of packages.
  for (const hidden of ['gitignore', 'npmrc'])
    await rename(path.join(folder, hidden), path.join(folder, `.${hidden}`));
  const manifest = path.join(folder, 'package.json');
  const parts = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies: Record<string, string> };
  const here = path.relative(await realpath(folder), path.dirname(path.dirname(source)));
  parts.dependencies['headwater-client'] = `file:${here.split(path.sep).join('/')}`;
  await writeFile(manifest, `${JSON.stringify(parts, null, 2)}\n`);
}

/** @returns why there are none, if so */
async function writeTypes(folder: string, { url, project, typesKey }: Place): Promise<string | undefined> {
  if (typesKey === '') return 'There is no key that reads them.';
  try {
    const schema = await readRestSchema(new RestOperations(url, typesKey, TIMEOUT_MS), project);
    if (schema.contentTypes.length === 0) return 'The project has none yet.';
    await writeFile(path.join(folder, 'src/content-types.ts'), printRestTypes(schema));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws Error with one line for people */
export async function runInitCommand(args: readonly string[], { directory, print }: Console): Promise<void> {
  const place = placeOf(args);
  const { starter, name, url, project, site, key } = place;
  const source = await starterOf(starter);
  const isStored = !key.startsWith(MANAGEMENT);
  const settings = [
    settingLine('HEADWATER_URL', url.replace(/\/+$/, '')),
    settingLine('HEADWATER_PROJECT', project),
    settingLine('HEADWATER_SITE', site),
    settingLine('HEADWATER_KEY', isStored ? key : ''),
    settingLine('HEADWATER_WEBHOOK_SECRET', ''),
  ];
  const folder = path.resolve(directory, name);
  await mustBeEmpty(folder, name);
  await writeSite(source, folder);
  await writeFile(path.join(folder, '.env'), settings.join(''), { mode: 0o600 });
  const missing = await writeTypes(folder, place);
  const said = [
    `${name === '.' ? 'The site' : name} is written. Its README.md says what is next: npm install, npm run build, npm start.`,
    ...(isStored
      ? []
      : ['The management key is not stored. Put a delivery key into .env, if readers need one.']),
    missing === undefined
      ? 'Types of the content are in src/content-types.ts.'
      : `Types of the content are not written. ${missing} Later: HEADWATER_KEY=<management key> npm run types.`,
  ];
  print(`${said.join('\n')}\n`);
}
