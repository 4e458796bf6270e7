import { z } from 'zod';
import { AppError, invalidInput, issuesOf, type InputIssue } from '../../../contracts/errors.js';
import type { OperationMeta, ToolLookup, ToolMeta } from '../../../contracts/metadata.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { BoundOperation } from '../../procedures/index.js';

type Values = Readonly<Record<string, unknown>>;

const dryRun = z.boolean().optional().meta({ description: 'Only return what would change.', example: true });

const confirmToken = z
  .string()
  .max(4096)
  .optional()
  .meta({ description: 'Token of a `confirmation_required` reply; keep the other arguments.' });

/** Control arguments of a tool: writing tools allow dry runs, some allow confirmation. */
function controlsOf({ mcp, confirmation }: OperationMeta): z.ZodRawShape {
  return {
    ...(mcp?.readOnly !== true && { dryRun }),
    ...(confirmation !== undefined && { confirmToken }),
  };
}

/** Separates control arguments (rule mcp/results) from the input; both are already validated. */
export function splitControls(values: Values): { readonly isDryRun: boolean; readonly rest: Values } {
  const { dryRun: isDryRun, confirmToken: _token, ...rest } = values;
  return { isDryRun: isDryRun === true, rest };
}

/** Hidden from agents: the endpoint gives the project; the others are for editors' lists (rule mcp/tools) and for other systems. */
const hiddenKeys: ReadonlySet<string> = new Set([
  'projectSlug',
  'orderBy',
  'cursor',
  'q',
  'deleted',
  'externalId',
  ...['createdAt', 'updatedAt', 'createdByName'],
]);

export const pagingKeys: ReadonlySet<string> = new Set(['page', 'limit']);

/** Calls another operation for the caller of the tool. */
export type ReadOperation = (operation: BoundOperation, input: Values) => Promise<unknown>;

/** The arguments of a tool and their mapping to the operation's input. */
export interface ToolArguments {
  readonly schema: z.ZodObject;
  /** @throws AppError `validation_failed` with the issues, including unknown names */
  assert(values: Values): void;
  /** The operation's input, without control arguments. @throws what its lookups throw */
  toInput(values: Values, read: ReadOperation): Promise<Record<string, unknown>>;
  /** A failure whose issues use the tool's argument names. */
  inArguments(error: unknown): unknown;
}

/** An argument that a read turns into the value of an input key. */
interface Lookup extends ToolLookup {
  readonly argument: string;
  readonly operation: BoundOperation;
}

function lookupsOf({ finds = {} }: ToolMeta, operations: readonly BoundOperation[]): Lookup[] {
  return Object.entries(finds).map(([argument, lookup]) => {
    const operation = operations.find(({ name }) => name === lookup.read);
    if (operation === undefined) throw new Error(`${argument} needs ${lookup.read}`);
    return { ...lookup, argument, operation };
  });
}

/** Argument name by input key; an argument is named as the REST parameter is (`siteSlug` is `slug`). */
function argumentNames({ input, meta }: BoundOperation, tool: ToolMeta): Map<string, string> {
  const { takes, listsAll, argumentAliases } = tool;
  const isTaken = (key: string): boolean =>
    takes?.includes(key) ?? (!hiddenKeys.has(key) && !(listsAll === true && pagingKeys.has(key)));
  const names = Object.keys(input.shape).filter(isTaken);
  return new Map(
    names.map((key) => [key, argumentAliases?.[key] ?? meta.openapi?.pathAliases?.[key] ?? key]),
  );
}

/** With another description, or that of the type inside. */
const described = (type: z.ZodType, description = ''): z.ZodType =>
  description === '' ? type : type.meta({ description });

/** What can be looked up need not be given itself; an optional key may be required. */
function argumentType(
  type: z.ZodType,
  { isFound, isRequired }: Record<'isFound' | 'isRequired', boolean>,
): z.ZodType {
  if (isFound) return described(type.optional(), type.description);
  return isRequired && type instanceof z.ZodOptional
    ? described(type.unwrap() as z.ZodType, type.description)
    : type;
}

/** The schema of each argument. */
function shapeOf(
  { input }: BoundOperation,
  { requires = [] }: ToolMeta,
  { names, lookups }: { readonly names: ReadonlyMap<string, string>; readonly lookups: readonly Lookup[] },
): z.ZodRawShape {
  const shape: Record<string, z.ZodType> = {};
  for (const [key, name] of names) {
    const isFound = lookups.some((lookup) => lookup.key === key);
    const type = input.shape[key] as z.ZodType;
    shape[name] = argumentType(type, { isFound, isRequired: requires.includes(key) });
  }
  for (const { argument, key, by, operation, description } of lookups) {
    const type = operation.input.shape[by] as z.ZodType;
    shape[argument] = described(names.has(key) ? type.optional() : type, description);
  }
  return shape;
}

/** @throws AppError 422 unless a key and the arguments that find it are given once in all */
function assertOneWay(values: Values, names: ReadonlyMap<string, string>, lookups: readonly Lookup[]): void {
  for (const key of new Set(lookups.map((lookup) => lookup.key))) {
    const ways = [
      names.get(key) ?? [],
      lookups.filter((one) => one.key === key).map((one) => one.argument),
    ].flat();
    const given = ways.filter((name) => values[name] !== undefined);
    if (given.length === 1) continue;
    const message = `Set ${ways.join(' or ')}${given.length === 0 ? '.' : ', not both.'}`;
    throw invalidInput({
      path: [ways[0] ?? key],
      code: given.length === 0 ? 'required' : 'not_allowed',
      message,
    });
  }
}

async function find(
  { argument, by, value, missing, operation }: Lookup,
  given: unknown,
  read: ReadOperation,
): Promise<unknown> {
  const { data } = (await read(operation, { [by]: given })) as { data: Values };
  const found = data[value] ?? undefined;
  if (found === undefined && missing !== undefined)
    throw new AppError(missing.error, { path: [argument] }, missing.message);
  return found;
}

const renamed = (issue: InputIssue, names: ReadonlyMap<string, string>): InputIssue => {
  const [key, ...rest] = issue.path;
  return typeof key === 'string' ? { ...issue, path: [names.get(key) ?? key, ...rest] } : issue;
};

/** The strict input of an operation without hidden keys. */
export function argumentsOf(
  operation: BoundOperation,
  tool: ToolMeta,
  operations: readonly BoundOperation[],
): ToolArguments {
  const names = argumentNames(operation, tool);
  const keys = new Map([...names].map(([key, name]) => [name, key]));
  const lookups = lookupsOf(tool, operations);
  const schema = z.strictObject({
    ...shapeOf(operation, tool, { names, lookups }),
    ...controlsOf(operation.meta),
  });
  return {
    schema,
    assert(values) {
      const parsed = schema.safeParse(values);
      if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
      assertOneWay(values, names, lookups);
    },
    async toInput(values, read) {
      const input: Record<string, unknown> = { ...tool.fixed };
      for (const [name, value] of Object.entries(values)) {
        const lookup = lookups.find(({ argument }) => argument === name);
        if (lookup === undefined) input[keys.get(name) ?? name] = value;
        else input[lookup.key] = await find(lookup, value, read);
      }
      return input;
    },
    inArguments(error) {
      const failure = toAppError(error);
      const issues = (failure.details as { issues?: readonly InputIssue[] } | undefined)?.issues;
      if (failure.code !== 'validation_failed' || issues === undefined) return error;
      return invalidInput(...issues.map((issue) => renamed(issue, names)));
    },
  };
}
