import type {
  SchemaPlan,
  SchemaStep,
  SchemaApply,
} from '../../../contracts/deployment/schema/schema-plan.js';
import { readFile, stat, mkdir, writeFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { ProjectApi, type ServiceOptions, RefusedCall } from '../client/project-api.js';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const signs = { create: '+', rename: '>', update: '~', replace: '!', delete: '-' } as const;

const kinds = {
  contentType: 'content type',
  field: 'field',
  customFieldType: 'custom field type',
  workflow: 'workflow',
  role: 'role',
} as const;

const LONGEST_VALUE = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

const count = (number: number, one: string, several: string): string =>
  `${String(number)} ${number === 1 ? one : several}`;

function linesOf({ action, kind, name, contentType, from, changes, lost, blocker }: SchemaStep): string[] {
  const path = contentType === null ? name : `${contentType}.${name}`;
  const former = from === null ? '' : ` (was ${from})`;
  const loss =
    lost === null || lost.entries === 0
      ? ''
      : `, loses ${count(lost.values, 'value', 'values')} of ${count(lost.entries, 'entry', 'entries')}`;
  return [
    `${signs[action]} ${action} ${kinds[kind]} ${path}${former}${loss}`,
    ...changes.map(({ key, before, after }) => `    ${key}: ${shown(before)} -> ${shown(after)}`),
    ...(blocker === null ? [] : [`    cannot be applied now: ${blocker.code}`]),
  ];
}

/** For people. */
function printPlan({ steps, warnings }: SchemaPlan): string {
  if (steps.length === 0) return 'The schema is up to date.\n';
  const notes = warnings.map(
    ({ contentType, field, target, code }) => `warning: ${contentType}.${field} names ${target}: ${code}`,
  );
  return `${[...steps.flatMap(linesOf), ...notes, count(steps.length, 'step', 'steps')].join('\n')}\n`;
}

const MAXIMUM_BYTES = 8 * 1024 * 1024;

/**
 * The document of a YAML or JSON file. Aliases are refused, because a few of them can stand for any amount of data;
 * so are duplicate keys.
 * @throws Error with one line for people
 */
async function readDocument(file: string, name: string): Promise<unknown> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${name} cannot be read.`);
  });
  if (size > MAXIMUM_BYTES) throw new Error(`${name} is larger than 8 MB.`);
  const document = parseDocument(await readFile(file, 'utf8'), { uniqueKeys: true, merge: false });
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`${name}: ${problem.message.split('\n')[0] ?? ''}`);
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`${name} uses aliases, which are not supported.`, { cause: error });
  }
}

/** The schema operations of a project. */
class SchemaService {
  readonly #api: ProjectApi;

  constructor(options: ServiceOptions) {
    this.#api = new ProjectApi(options);
  }

  async pull(): Promise<string> {
    return (await this.#api.send('GET', '/schema/export?format=yaml')).text();
  }

  plan(schema: unknown): Promise<SchemaPlan> {
    return this.#api.post<SchemaPlan>('/schema/plan', { schema });
  }

  apply(schema: unknown, allowDestructive: boolean): Promise<SchemaApply> {
    return this.#api.post<SchemaApply>('/schema/apply', { schema, allowDestructive });
  }
}

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

interface SchemaConsole {
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
