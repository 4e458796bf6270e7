import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLOutputType,
} from 'graphql';
import { jsonType, locationType, richTextType } from '../system/system-schema.js';

/** Converts document values to a GraphQL type. */
export interface ValueOutput {
  readonly type: GraphQLOutputType;
  /** False for values published under another kind or schema. They become null: an error would discard the entry. */
  fits(value: unknown): boolean;
  /** Converts a fitting value; identity by default. */
  read?(value: unknown): unknown;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

export const textOutput: ValueOutput = { type: GraphQLString, fits: isText };

/** Integers included: `Int` has 32 bits, and later bounds must not change the type. */
export const numberOutput: ValueOutput = { type: GraphQLFloat, fits: isNumber };

export const booleanOutput: ValueOutput = {
  type: GraphQLBoolean,
  fits: (value) => typeof value === 'boolean',
};

export const jsonOutput: ValueOutput = { type: jsonType, fits: () => true };

export const richTextOutput: ValueOutput = {
  type: richTextType,
  fits: (value) => isObject(value) && isText(value.html) && isText(value.text),
};

export const locationOutput: ValueOutput = {
  type: locationType,
  fits: (value) => isObject(value) && isNumber(value.lat) && isNumber(value.lng),
};

export const listOf = (type: GraphQLOutputType) => new GraphQLList(new GraphQLNonNull(type));

/** Non-null items; none if not a list. */
export const itemsIn = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];

/** Null if absent or unfit. */
export function readValue(output: ValueOutput, value: unknown): unknown {
  if (value === null || value === undefined || !output.fits(value)) return null;
  return output.read === undefined ? value : output.read(value);
}

export const readItems = (output: ValueOutput, value: unknown): unknown[] =>
  itemsIn(value)
    .map((item) => readValue(output, item))
    .filter((item) => item !== null);
