import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { printTypes } from './print-types.js';
import { readProjectSchema } from './read-project-schema.js';

export const typesUsage =
  'headwater types --url <service>/api/graphql/<project> --key <preview or management key> [--out <file>] [--check]';

export const typesHelp = `Usage: ${typesUsage}

Writes the TypeScript types of a project's GraphQL schema to the file, or to standard output.

  --url    GraphQL endpoint of the project
  --key    preview or management key, by default HEADWATER_KEY; delivery keys cannot read the schema
  --out    file to write
  --check  exit with 1 where the file differs, and write nothing
`;

interface Options {
  readonly url: string;
  readonly key: string;
  /** Undefined writes to the console. */
  readonly out: string | undefined;
  /** Compare with the file instead of writing it. */
  readonly isCheck: boolean;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      out: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  const { url, key = process.env.HEADWATER_KEY, out, check: isCheck } = values;
  if (!url || !URL.canParse(url)) throw new Error(`The URL of the schema is missing. Usage: ${typesUsage}`);
  if (!key) throw new Error('Set a preview or management key with --key or HEADWATER_KEY.');
  if (isCheck && out === undefined) throw new Error('Name the file to check with --out.');
  return { url, key, out, isCheck };
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export interface Console {
  /** `--out` is relative to it. */
  readonly directory: string;
  print(text: string): void;
}

/**
 * Emits TypeScript interfaces of a project's schema (specification 4.2 rule 7). With `--check`, fails when the file
 * differs and writes nothing.
 * @throws Error with one line for people
 */
export async function runTypesCommand(args: readonly string[], { directory, print }: Console): Promise<void> {
  const { url, key, out, isCheck } = optionsOf(args);
  const types = await printTypes(await readProjectSchema(url, key));
  if (out === undefined) {
    print(types);
    return;
  }
  const file = path.resolve(directory, out);
  const known = await textOf(file);
  if (isCheck && known !== types) throw new Error(`${out} is out of date. Run the command without --check.`);
  if (known === types) {
    print(`${out} is up to date.\n`);
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, types);
  print(`${out} written.\n`);
}
