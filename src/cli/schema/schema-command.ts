import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { SchemaPlan } from '../../../contracts/vocabulary/schema-plan.js';
import { printPlan } from './print-plan.js';
import { readDocument } from './read-document.js';
import { RefusedCall } from '../client/project-api.js';
import { SchemaService } from './schema-service.js';

export const schemaUsage =
  'headwater schema pull|plan|push --url <service>/api/v1/projects/<project> --key <management key> [--file <file>] [--environment <slug>] [--allow-destructive] [--confirm <token>]';

export const schemaHelp = `Usage: ${schemaUsage}

Keeps the schema of a project in a YAML file.

  pull  writes the schema to the file
  plan  shows what a push would change
  push  makes the schema equal to the file

  --url                URL of the project
  --key                management key, by default HEADWATER_KEY
  --file               by default schema.yaml
  --environment        slug, by default the one of the key
  --allow-destructive  consent to deletions and replacements
  --confirm            token for a key or an environment that asks for confirmation

Exit codes: 0 done or nothing to change, 1 failure, 2 the plan has changes, 3 the changes are destructive or cannot be
applied.
`;

export interface SchemaConsole {
  /** `--file` is relative to it. */
  readonly directory: string;
  print(text: string): void;
}

interface Options {
  readonly service: SchemaService;
  readonly file: string;
  readonly name: string;
  readonly allowDestructive: boolean;
}

const exitCodes = { done: 0, changes: 2, refused: 3 } as const;

function optionsOf(args: readonly string[], { directory }: SchemaConsole): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      file: { type: 'string', default: 'schema.yaml' },
      environment: { type: 'string' },
      'allow-destructive': { type: 'boolean', default: false },
      confirm: { type: 'string' },
    },
  });
  const { url, key = process.env.HEADWATER_KEY, file: name, environment, confirm: confirmToken } = values;
  if (!url || !URL.canParse(url)) throw new Error(`The URL of the project is missing. Usage: ${schemaUsage}`);
  if (!key) throw new Error('Set a management key with --key or HEADWATER_KEY.');
  return {
    service: new SchemaService({ url, key, environment, confirmToken }),
    file: path.resolve(directory, name),
    name,
    allowDestructive: values['allow-destructive'],
  };
}

async function pull({ service, file, name }: Options, { print }: SchemaConsole): Promise<number> {
  const text = await service.pull();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  print(`${name} written.\n`);
  return exitCodes.done;
}

const isRefused = ({ steps, isDestructive }: SchemaPlan, allowDestructive: boolean): boolean =>
  (isDestructive && !allowDestructive) || steps.some(({ blocker }) => blocker !== null);

async function plan(
  { service, file, name, allowDestructive }: Options,
  { print }: SchemaConsole,
): Promise<number> {
  const made = await service.plan(await readDocument(file, name));
  print(printPlan(made));
  if (made.steps.length === 0) return exitCodes.done;
  return isRefused(made, allowDestructive) ? exitCodes.refused : exitCodes.changes;
}

async function push(
  { service, file, name, allowDestructive }: Options,
  { print }: SchemaConsole,
): Promise<number> {
  const document = await readDocument(file, name);
  try {
    const { applyId, ...made } = await service.apply(document, allowDestructive);
    print(printPlan(made));
    if (applyId !== null) print(`Applied. To undo: POST schema/undo with applyId ${applyId}\n`);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    if (error.code === 'confirmation_required') {
      const { confirmToken = '' } = (error.details ?? {}) as { confirmToken?: string };
      print(`Confirm the push within minutes: repeat it with --confirm ${confirmToken}\n`);
      return exitCodes.refused;
    }
    if (error.code !== 'destructive_change') throw error;
    print(printPlan(error.details as SchemaPlan));
    print('Nothing was changed. Repeat with --allow-destructive to consent.\n');
    return exitCodes.refused;
  }
}

const commands = { pull, plan, push };

/**
 * @returns the exit code
 * @throws Error with one line for people
 */
export async function runSchemaCommand(
  [command = '', ...args]: readonly string[],
  console: SchemaConsole,
): Promise<number> {
  if (!Object.hasOwn(commands, command)) throw new Error(`Say pull, plan or push. Usage: ${schemaUsage}`);
  try {
    return await commands[command as keyof typeof commands](optionsOf(args, console), console);
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    const { issues = [] } = (error.details ?? {}) as { issues?: { path: string[]; message: string }[] };
    const lines = issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error([`${error.code}: ${error.message}`, ...lines].join('\n'), { cause: error });
  }
}
