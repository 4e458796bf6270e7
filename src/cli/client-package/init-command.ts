import { cp, mkdir, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

export const initUsage =
  'headwater init astro|next [<folder>] --url <service> --project <project> --site <site> [--key <delivery key>]';

export const initHelp = `Usage: ${initUsage}

Writes a site with Astro or Next into a folder that is empty or does not exist, by default this one. It has pages with rich
text and pictures, previews, redirects, search, and a webhook that renews its pages. Its README says how it is started.

  --url      address of the service, by default HEADWATER_URL
  --project  slug
  --site     slug
  --key      delivery key, by default HEADWATER_KEY; without one the site reads as everyone
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

/** @throws Error with one line for people */
export async function runInitCommand(args: readonly string[], { directory, print }: Console): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { url: text, project: text, site: text, key: text } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [starter = '', name = '.', ...rest] = positionals;
  const { url = process.env.HEADWATER_URL, project, site, key = process.env.HEADWATER_KEY ?? '' } = values;
  const source = await starterOf(starter);
  if (rest.length > 0) throw new Error(`Name one folder. Usage: ${initUsage}`);
  if (!url || !URL.canParse(url))
    throw new Error('Set the address of the service with --url or HEADWATER_URL.');
  if (!project || !site) throw new Error(`Name a project and a site. Usage: ${initUsage}`);
  const settings = [
    settingLine('HEADWATER_URL', url.replace(/\/+$/, '')),
    settingLine('HEADWATER_PROJECT', project),
    settingLine('HEADWATER_SITE', site),
    settingLine('HEADWATER_KEY', key),
    settingLine('HEADWATER_WEBHOOK_SECRET', ''),
  ];
  const folder = path.resolve(directory, name);
  await mustBeEmpty(folder, name);
  await mkdir(folder, { recursive: true });
  await cp(source, folder, { recursive: true });
  // npm leaves files of these names out of packages.
  for (const hidden of ['gitignore', 'npmrc'])
    await rename(path.join(folder, hidden), path.join(folder, `.${hidden}`));
  await writeFile(path.join(folder, '.env'), settings.join(''), { mode: 0o600 });
  const manifest = path.join(folder, 'package.json');
  const parts = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies: Record<string, string> };
  const here = path.relative(await realpath(folder), path.dirname(path.dirname(source)));
  parts.dependencies['headwater-client'] = `file:${here.split(path.sep).join('/')}`;
  await writeFile(manifest, `${JSON.stringify(parts, null, 2)}\n`);
  print(
    `${name === '.' ? 'The site' : name} is written. Its README.md says what is next: npm install, npm run build, npm start.\n`,
  );
}
