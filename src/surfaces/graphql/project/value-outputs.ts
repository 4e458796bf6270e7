import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLEnumType,
  type GraphQLOutputType,
} from 'graphql';
import { isObject } from '../../../content/exact-json/is-object.js';
import type { GraphqlValueType } from '../../../content/field-kinds/index.js';
import { jsonType, locationType, richTextType } from '../system/system-schema.js';

/** Converts document values to a GraphQL type. */
export interface ValueOutput {
  readonly type: GraphQLOutputType;
  /** False for values published under another kind or schema. They become null: an error would discard the entry. */
  fits(value: unknown): boolean;
  /** Converts a fitting value; identity by default. */
  read?(value: unknown): unknown;
  /** Whether JSON is that of a fitting value, as the type writes it. Unset: it has to be parsed. */
  isStoredText?(json: string): boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

export const textOutput: ValueOutput = {
  type: GraphQLString,
  fits: isText,
  isStoredText: (json) => json.startsWith('"'),
};

/** Integers included: `Int` has 32 bits, and later bounds must not change the type. */
export const numberOutput: ValueOutput = { type: GraphQLFloat, fits: isNumber };

export const booleanOutput: ValueOutput = {
  type: GraphQLBoolean,
  fits: (value) => typeof value === 'boolean',
  isStoredText: (json) => json === 'true' || json === 'false',
};

export const jsonOutput: ValueOutput = { type: jsonType, fits: () => true, isStoredText: () => true };

const richTextOutput: ValueOutput = {
  type: richTextType,
  fits: (value) => isObject(value) && isText(value.html) && isText(value.text),
};

const locationOutput: ValueOutput = {
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

/** Null for what is read by id: entries and assets. */
export const valueOutputs = {
  String: textOutput,
  Float: numberOutput,
  Boolean: booleanOutput,
  JSON: jsonOutput,
  RichText: richTextOutput,
  Location: locationOutput,
  ContentEntry: null,
  MediaAsset: null,
} satisfies Record<GraphqlValueType, ValueOutput | null>;

/** Values that were published before the options changed do not fit. */
export const optionOutput = (type: GraphQLEnumType): ValueOutput => ({
  type,
  fits: (value) => type.getValue(String(value)) !== undefined && isText(value),
});
