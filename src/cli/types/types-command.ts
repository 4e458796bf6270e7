import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { printTypes } from './print-types.js';
import { readProjectSchema } from './read-project-schema.js';

/** How the command is called. */
export const typesUsage =
  'headwater types --url <service>/api/graphql/<project> --key <preview or management key> [--out <file>] [--check]';

interface Options {
  readonly url: string;
  readonly key: string;
  /** Where to write; the console where it is absent. */
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
  if (!url || !URL.canParse(url)) throw new Error(`Say where the schema is: ${typesUsage}`);
  if (!key) throw new Error('Give a preview or management key with --key or in HEADWATER_KEY.');
  if (isCheck && out === undefined) throw new Error('Say with --out which file to check.');
  return { url, key, out, isCheck };
}

/** The text of a file; undefined where there is none. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Where a command runs and what it says to people. */
export interface Console {
  /** What `--out` is relative to. */
  readonly directory: string;
  print(text: string): void;
}

/**
 * Emits TypeScript interfaces of a project's schema (specification 4.2 rule 7) to a file or the console. With
 * `--check` nothing is written, and a file that differs is a failure.
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
  if (isCheck && known !== types)
    throw new Error(`${out} is not what the schema says: run the command without --check.`);
  if (known === types) {
    print(`${out} is what the schema says.\n`);
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, types);
  print(`${out} written.\n`);
}
