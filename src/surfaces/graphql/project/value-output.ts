import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLOutputType,
} from 'graphql';
import { jsonType, locationType, richTextType } from '../system/system-schema.js';

/** How a value of a document becomes a value of a GraphQL type. */
export interface ValueOutput {
  readonly type: GraphQLOutputType;
  /**
   * Whether a value fits the type. One that was published when the field had another kind or schema may not, and
   * becomes null: an error would discard the whole entry.
   */
  fits(value: unknown): boolean;
  /** Converts a value that fits; without it the value is used as it is. */
  read?(value: unknown): unknown;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

export const textOutput: ValueOutput = { type: GraphQLString, fits: isText };

/** Integers too: `Int` has 32 bits, and bounds that are set later must not change the type of a field. */
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

/** The items that are not null; none if the value is not a list. */
export const itemsIn = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];

/** Null if the value is absent or does not fit. */
export function readValue(output: ValueOutput, value: unknown): unknown {
  if (value === null || value === undefined || !output.fits(value)) return null;
  return output.read === undefined ? value : output.read(value);
}

export const readItems = (output: ValueOutput, value: unknown): unknown[] =>
  itemsIn(value)
    .map((item) => readValue(output, item))
    .filter((item) => item !== null);
