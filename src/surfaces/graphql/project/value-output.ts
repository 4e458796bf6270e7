import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLOutputType,
} from 'graphql';
import { jsonType, locationType, richTextType } from '../system/system-schema.js';

/** How a value that stands in the document itself reads. */
export interface ValueOutput {
  readonly type: GraphQLOutputType;
  /**
   * Whether a delivered value fits the type. One that does not, because its field was of another kind or its
   * schema another one when the entry was published, reads as null: failing would take the whole entry with it.
   */
  fits(value: unknown): boolean;
  /** A value that fits, as the type reads it; the value itself where nothing is said. */
  read?(value: unknown): unknown;
}

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/** Text of any kind. */
export const textOutput: ValueOutput = { type: GraphQLString, fits: isText };

/** Numbers, integers too: `Int` ends at 32 bits, and bounds set later must not change the type of a field. */
export const numberOutput: ValueOutput = { type: GraphQLFloat, fits: isNumber };

/** True or false. */
export const booleanOutput: ValueOutput = {
  type: GraphQLBoolean,
  fits: (value) => typeof value === 'boolean',
};

/** Any value. */
export const jsonOutput: ValueOutput = { type: jsonType, fits: () => true };

/** A rich text in its three forms. */
export const richTextOutput: ValueOutput = {
  type: richTextType,
  fits: (value) => isObject(value) && isText(value.html) && isText(value.text),
};

/** A place on Earth. */
export const locationOutput: ValueOutput = {
  type: locationType,
  fits: (value) => isObject(value) && isNumber(value.lat) && isNumber(value.lng),
};

/** A list without nulls, as fields have it. */
export const listOf = (type: GraphQLOutputType) => new GraphQLList(new GraphQLNonNull(type));

/** The items of a list that are there; none where the value is no list. */
export const itemsIn = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];

/** One value as the type reads it; null where there is none or it does not fit. */
export function readValue(output: ValueOutput, value: unknown): unknown {
  if (value === null || value === undefined || !output.fits(value)) return null;
  return output.read === undefined ? value : output.read(value);
}

/** The items of a list that fit. */
export const readItems = (output: ValueOutput, value: unknown): unknown[] =>
  itemsIn(value)
    .map((item) => readValue(output, item))
    .filter((item) => item !== null);
