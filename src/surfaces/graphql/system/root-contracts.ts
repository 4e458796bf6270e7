import { z } from 'zod';
import { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import type { OperationMeta, RootFieldMeta } from '../../../../contracts/metadata.js';
import type { BoundOperation } from '../../../procedures/index.js';
import { unwrap } from './zod-type.js';

export type RootVerb = keyof typeof graphqlReads;

export interface RootArgument {
  readonly name: string;
  readonly inputKey: string;
  readonly schema: z.ZodType;
}

interface RootContract {
  readonly meta: RootFieldMeta;
  readonly arguments: readonly RootArgument[];
}

/** Input from the endpoint or the field name. */
const isGiven = (key: string, { field }: RootFieldMeta): boolean =>
  key === 'projectSlug' || field.includes(`{${key}}`);

function contractOf(verb: RootVerb): RootContract {
  const { meta: operation, inputs } = graphqlReads[verb]._def as unknown as {
    meta: OperationMeta;
    inputs: z.ZodObject[];
  };
  const { graphql: meta } = operation;
  if (meta === undefined) throw new Error(`${verb} has no root field`);
  const aliases = meta.argumentAliases ?? {};
  const shape = Object.entries<z.ZodType>(inputs[0]?.shape ?? {});
  const declared = shape
    .filter(([key]) => !isGiven(key, meta))
    .map(([inputKey, schema]) => ({ name: aliases[inputKey] ?? inputKey, inputKey, schema }));
  return { meta, arguments: declared };
}

const verbs = Object.keys(graphqlReads) as RootVerb[];

export const rootContracts = Object.fromEntries(verbs.map((verb) => [verb, contractOf(verb)])) as Readonly<
  Record<RootVerb, RootContract>
>;

const contracts = Object.values(rootContracts);

interface Range {
  readonly min: number;
  /** `Infinity` without a maximum. */
  readonly max: number;
}

function rangeOf({ name, schema: declared }: RootArgument): (readonly [string, Range])[] {
  const { schema } = unwrap(declared);
  if (!(schema instanceof z.ZodNumber)) return [];
  const max = schema.maxValue === Number.MAX_SAFE_INTEGER ? Infinity : (schema.maxValue ?? Infinity);
  return [[name, { min: schema.minValue ?? -Infinity, max }]];
}

/** Ranges of numeric arguments by name. */
export const argumentRanges: ReadonlyMap<string, Range> = new Map(
  contracts.flatMap(({ arguments: declared }) => declared.flatMap(rangeOf)),
);

/** Warning codes of ignored arguments by name. */
export const ignoredArguments: ReadonlyMap<string, string> = new Map(
  contracts.flatMap(({ meta }) => Object.entries(meta.ignored ?? {})),
);

export interface RootOperations {
  /** Checked once per request: all root fields have the same requirements. */
  readonly gate: OperationMeta;
  readonly operations: Readonly<Record<RootVerb, BoundOperation>>;
}

const requirementsOf = ({ meta: { audience, resource, action } }: BoundOperation): string =>
  `${audience} ${resource} ${action}`;

export function rootOperationsOf(operations: readonly BoundOperation[]): RootOperations {
  const roots = operations.filter(({ meta }) => meta.graphql !== undefined);
  const [first] = roots;
  if (first === undefined) throw new Error('no operation has a root field');
  if (new Set(roots.map(requirementsOf)).size > 1)
    throw new Error('root fields have different access requirements');
  const byVerb = roots.map((operation) => [operation.name.slice(operation.name.indexOf('.') + 1), operation]);
  return { gate: first.meta, operations: Object.fromEntries(byVerb) as RootOperations['operations'] };
}
