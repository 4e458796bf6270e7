import type { z } from 'zod';

export type Shape = Readonly<Record<string, z.ZodType>>;
export type Option = string | number;

/** What this app reads of a Zod schema. */
interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  /** The input of a transformation. */
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Shape;
  readonly entries?: Readonly<Record<string, Option>>;
  readonly values?: readonly Option[];
  readonly valueType?: z.ZodType;
  readonly defaultValue?: unknown;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def;

const wrappers = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly', 'pipe']);

/** From the outermost wrapper to the schema of the value itself. */
function layersOf(schema: z.ZodType): readonly z.ZodType[] {
  const { type, innerType, in: input } = definitionOf(schema);
  const next = innerType ?? input;
  return next === undefined || !wrappers.has(type) ? [schema] : [schema, ...layersOf(next)];
}

/** The schema of the value itself, without `null`, defaults and transformations. */
export const unwrapped = (schema: z.ZodType): Definition => definitionOf(layersOf(schema).at(-1) ?? schema);

/** Values that can be chosen; undefined if others can be typed. */
export function optionsOf({ entries, values }: Definition): readonly Option[] | undefined {
  return entries === undefined ? values : Object.values(entries);
}

/** A key of an input. */
export interface Property {
  readonly key: string;
  readonly definition: Definition;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** What the service takes if the key is omitted. */
  readonly defaultValue: unknown;
  /** Undefined: unlimited. */
  readonly maximumLength: number | undefined;
}

const LONG_TEXT = 500;

export function propertyOf(key: string, schema: z.ZodType): Property {
  const layers = layersOf(schema);
  const value = layers.at(-1) ?? schema;
  const definitions = layers.map(definitionOf);
  const fallback = definitions.find(({ type }) => type === 'default');
  const maximum = (value as { maxLength?: number | null }).maxLength ?? undefined;
  return {
    key,
    definition: definitionOf(value),
    isRequired: !schema.safeParse(undefined).success,
    isNullable: definitions.some(({ type }) => type === 'nullable'),
    defaultValue: fallback?.defaultValue,
    maximumLength: maximum,
  };
}

export const propertiesOf = (shape: Shape): Property[] =>
  Object.entries(shape).map(([key, schema]) => propertyOf(key, schema));

export const isLongText = ({ maximumLength }: Property): boolean =>
  maximumLength !== undefined && maximumLength >= LONG_TEXT;
