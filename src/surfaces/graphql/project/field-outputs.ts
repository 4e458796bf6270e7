import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
} from 'graphql';
import type { FieldKind } from '../../../../contracts/resources/field-kinds.js';
import type { FieldDefinition } from '../../../content/catalog.js';
import type { EntryNode } from '../loaders/entry-node.js';
import type { ReadContext } from '../loaders/read-context.js';
import { jsonType, richTextType } from '../system/system-schema.js';
import { referenceTarget, type EntryTypes } from './reference-union.js';

type EntryField = GraphQLFieldConfig<EntryNode, ReadContext>;

/** A kind whose values stand in the document itself. */
interface ValueOutput {
  readonly type: GraphQLOutputType;
  /**
   * Whether a delivered value fits the type. One that does not, because a field of this name was of another
   * kind when the entry was published, reads as null: failing would take the whole entry with it.
   */
  fits(value: unknown): boolean;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';

const text: ValueOutput = { type: GraphQLString, fits: isText };
/** Of integers too: `Int` ends at 32 bits, and bounds set later must not change the type of a field. */
const float: ValueOutput = {
  type: GraphQLFloat,
  fits: (value) => typeof value === 'number' && Number.isFinite(value),
};
const richText: ValueOutput = {
  type: richTextType,
  fits: (value) =>
    isObject(value) &&
    isText((value as { html?: unknown }).html) &&
    isText((value as { text?: unknown }).text),
};

const valueOutputs = {
  text,
  longText: text,
  richText,
  slug: text,
  integer: float,
  number: float,
  boolean: { type: GraphQLBoolean, fits: (value) => typeof value === 'boolean' },
  date: text,
  dateTime: text,
  select: text,
  url: text,
  email: text,
  json: { type: jsonType, fits: () => true },
  reference: null,
  blocks: null,
} as const satisfies Record<FieldKind, ValueOutput | null>;

const listOf = (type: GraphQLOutputType) => new GraphQLList(new GraphQLNonNull(type));
const itemsIn = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];

function valueField({ apiName, isList }: FieldDefinition, { type, fits }: ValueOutput): EntryField {
  if (isList) return { type: listOf(type), resolve: (entry) => itemsIn(entry.value(apiName)).filter(fits) };
  return {
    type,
    resolve: (entry) => {
      const value = entry.value(apiName);
      return value !== null && value !== undefined && fits(value) ? value : null;
    },
  };
}

const idOf = (link: unknown): string[] => {
  const id = isObject(link) ? (link as { _ref?: unknown })._ref : undefined;
  return typeof id === 'string' ? [id.toLowerCase()] : [];
};

function linkField(field: FieldDefinition, owner: string, types: EntryTypes): EntryField {
  const { type, typeNames } = referenceTarget(field, owner, types);
  const isList = field.isList || field.type === 'blocks';
  const follow = async (
    entry: EntryNode,
    links: readonly unknown[],
    context: ReadContext,
  ): Promise<EntryNode[]> => {
    const targets = await context.follow(entry, links.flatMap(idOf));
    return typeNames === null ? targets : targets.filter(({ typeName }) => typeNames.has(typeName));
  };
  if (isList) {
    return {
      type: listOf(type),
      resolve: (entry, _args, context) => follow(entry, itemsIn(entry.value(field.apiName)), context),
    };
  }
  return {
    type,
    resolve: async (entry, _args, context) =>
      (await follow(entry, [entry.value(field.apiName)], context))[0] ?? null,
  };
}

/**
 * How a field of a content type reads in GraphQL: nullable, lists of non-null items. References cost 5, all
 * else 1 (decisions 2.25).
 * @param owner name of the type that has the field
 */
export function fieldOutput(field: FieldDefinition, owner: string, types: EntryTypes): EntryField {
  const output: ValueOutput | null = valueOutputs[field.type];
  const isLink = output === null;
  return {
    ...(isLink ? linkField(field, owner, types) : valueField(field, output)),
    description: field.description || field.name || field.apiName,
    extensions: { complexity: isLink ? 5 : 1 },
    ...(field.deprecated && { deprecationReason: 'Deprecated in the content model.' }),
  };
}
