import { isObject } from '../../../content/exact-json/is-object.js';
import { isEnumName } from '../../../content/json-schema/shape.js';
import { isGroup } from '../../../content/model/field-definition.js';
import {
  GraphQLEnumType,
  GraphQLUnionType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLOutputType,
  type GraphQLFieldConfig,
} from 'graphql';
import type { FieldDefinition } from '../../../content/catalog.js';
import { type EntryNode, valueOf } from '../reads/entry-node.js';
import {
  contentEntryType,
  jsonType,
  locationType,
  richTextType,
  mediaAssetType,
} from '../system/system-schema.js';
import { describeField, memberTypeName, type NamedContentType } from './naming.js';
import { kindOf, type GraphqlValueType } from '../../../content/field-kinds/index.js';
import { namedInValue, showValue } from '../../../features/publishing/delivery/index.js';
import type { RequestReads } from '../reads/request-reads.js';

/** By `apiName`. */
type EntryTypes = ReadonlyMap<string, GraphQLObjectType>;

interface ReferenceTarget {
  readonly type: GraphQLObjectType | GraphQLUnionType | GraphQLInterfaceType;
  /** Allowed type names; null for all. */
  readonly typeNames: ReadonlySet<string> | null;
}

/** Existing types in the field's settings, sorted by name. */
function allowedTypes({ settings }: FieldDefinition, types: EntryTypes): GraphQLObjectType[] {
  const named = Array.isArray(settings.contentTypes) ? (settings.contentTypes as unknown[]) : [];
  const apiNames = [...new Set(named.map(String))].sort();
  return [...new Set(apiNames.flatMap((apiName) => types.get(apiName) ?? []))];
}

/** The allowed type, a union of several, or `ContentEntry` for none (rule graphql/types). */
function referenceTarget(field: FieldDefinition, owner: string, types: EntryTypes): ReferenceTarget {
  const allowed = allowedTypes(field, types);
  const [only] = allowed;
  if (only === undefined) return { type: contentEntryType, typeNames: null };
  const typeNames = new Set(allowed.map(({ name }) => name));
  if (allowed.length === 1) return { type: only, typeNames };
  const union = new GraphQLUnionType({
    name: memberTypeName(owner, field.apiName),
    description: `Entries that "${field.apiName}" of ${owner} can refer to.`,
    types: allowed,
    resolveType: (entry: EntryNode) => entry.typeName,
  });
  return { type: union, typeNames };
}

/** Converts document values to a GraphQL type. */
export interface ValueOutput {
  readonly type: GraphQLOutputType;
  /** False for values published under another kind or schema. They become null: an error would discard the entry. */
  fits(value: unknown): boolean;
  /** Converts a fitting value; identity by default. */
  read?(value: unknown): unknown;
}

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
const itemsIn = (value: unknown): unknown[] =>
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

type EntryField = GraphQLFieldConfig<EntryNode, RequestReads>;

/** Null for what is read by id: entries and assets. */
const valueOutputs = {
  String: textOutput,
  Float: numberOutput,
  Boolean: booleanOutput,
  JSON: jsonOutput,
  RichText: richTextOutput,
  Location: locationOutput,
  ContentEntry: null,
  MediaAsset: null,
} satisfies Record<GraphqlValueType, ValueOutput | null>;

/** Of select fields, by {@link memberTypeName}. */
type OptionTypes = ReadonlyMap<string, GraphQLEnumType>;

export interface ProjectTypes {
  /** Complete when fields are resolved. */
  readonly entries: EntryTypes;
  /** By `apiName`. */
  readonly custom: ReadonlyMap<string, ValueOutput>;
  readonly options: OptionTypes;
}

interface Option {
  readonly value: string;
  readonly label?: string;
}

/** Enums of the select fields whose options are all names (rule graphql/types). Those of others are strings. */
export function optionTypes(named: readonly NamedContentType[]): OptionTypes {
  const types = new Map<string, GraphQLEnumType>();
  for (const { typeName, contentType } of named)
    for (const field of contentType.fields) {
      const { options = [] } = field.settings as { readonly options?: readonly Option[] };
      const isEnum = options.length > 0 && options.every(({ value }) => isEnumName(value));
      if (!isEnum) continue;
      const name = memberTypeName(typeName, field.apiName);
      const described = ({ value, label }: Option) => ({
        value,
        description: `The option "${label || value}".`,
      });
      const description = `Options of "${field.name || field.apiName}" of ${typeName}.`;
      const values = Object.fromEntries(options.map((option) => [option.value, described(option)]));
      types.set(name, new GraphQLEnumType({ name, description, values }));
    }
  return types;
}

/** Values that were published before the options changed do not fit. */
const optionOutput = (type: GraphQLEnumType): ValueOutput => ({
  type,
  fits: (value) => type.getValue(String(value)) !== undefined && isText(value),
});

function valueField({ apiName, isList }: FieldDefinition, output: ValueOutput): EntryField {
  if (isList)
    return { type: listOf(output.type), resolve: (entry) => readItems(output, valueOf(entry, apiName)) };
  return { type: output.type, resolve: (entry) => readValue(output, valueOf(entry, apiName)) };
}

function outputOf(
  field: FieldDefinition,
  owner: string,
  { custom, options }: ProjectTypes,
): ValueOutput | null {
  const optionType = options.get(memberTypeName(owner, field.apiName));
  if (optionType !== undefined) return optionOutput(optionType);
  return custom.get(field.customType?.apiName ?? '') ?? valueOutputs[kindOf(field).graphqlType];
}

const idOf = (link: unknown): string[] => {
  const id = isObject(link) ? link._ref : undefined;
  return typeof id === 'string' ? [id.toLowerCase()] : [];
};

function linkField(field: FieldDefinition, owner: string, types: EntryTypes): EntryField {
  const { type, typeNames } = referenceTarget(field, owner, types);
  const isList = (field.isList || kindOf(field).isAlwaysList) && !isGroup(field);
  const follow = async (
    entry: EntryNode,
    links: readonly unknown[],
    context: RequestReads,
  ): Promise<EntryNode[]> => {
    const targets = await context.follow(entry, links.flatMap(idOf));
    context.sources?.place(entry, field, targets);
    return typeNames === null ? targets : targets.filter(({ typeName }) => typeNames.has(typeName));
  };
  if (isList) {
    return {
      type: listOf(type),
      resolve: (entry, _args, context) => follow(entry, itemsIn(valueOf(entry, field.apiName)), context),
    };
  }
  return {
    type,
    resolve: async (entry, _args, context) =>
      (await follow(entry, [valueOf(entry, field.apiName)], context))[0] ?? null,
  };
}

function mediaField({ apiName, isList }: FieldDefinition): EntryField {
  const read = (entry: EntryNode, links: readonly unknown[], context: RequestReads) =>
    context.assets(entry, links.flatMap(idOf));
  if (isList)
    return {
      type: listOf(mediaAssetType),
      resolve: (entry, _args, context) => read(entry, itemsIn(valueOf(entry, apiName)), context),
    };
  return {
    type: mediaAssetType,
    resolve: async (entry, _args, context) =>
      (await read(entry, [valueOf(entry, apiName)], context))[0] ?? null,
  };
}

/** Rich text with what it names. */
function textField(field: FieldDefinition, output: ValueOutput): EntryField {
  const { type } = valueField(field, output);
  const read = field.isList ? readItems : readValue;
  return {
    type,
    resolve: async (entry, _args, context) => {
      const value = read(output, valueOf(entry, field.apiName));
      const named = namedInValue(value);
      if (named.entries.length + named.assets.length === 0) return value;
      return showValue(value, await context.shown(entry, named));
    },
  };
}

interface OutputPlace {
  readonly output: ValueOutput | null;
  readonly owner: string;
  readonly types: ProjectTypes;
}

function fieldConfig(field: FieldDefinition, { output, owner, types }: OutputPlace): EntryField {
  const { graphqlType, namesMedia } = kindOf(field);
  if (graphqlType === 'MediaAsset') return mediaField(field);
  if (output === null) return linkField(field, owner, types.entries);
  return namesMedia ? textField(field, output) : valueField(field, output);
}

/** Notes the source of the value where the request asks for it. */
function withSource(field: FieldDefinition, config: EntryField): EntryField {
  const { resolve } = config;
  return {
    ...config,
    resolve: (...given: Parameters<NonNullable<EntryField['resolve']>>) => {
      const [entry, , context, info] = given;
      const value: unknown = resolve?.(...given);
      if (context.sources === undefined) return value;
      const noted = context.sources.note(entry, field, info.path);
      return value instanceof Promise ? value.then(noted) : noted(value);
    },
  };
}

/**
 * Whether a published entry has null only where reading failed. Links can point to what is not published, and fields that
 * are required of some entries only can be empty in the others.
 */
const isSemanticNonNull = ({ required, settings }: FieldDefinition, output: ValueOutput | null): boolean =>
  required && output !== null && settings.visibleWhen === undefined;

/**
 * Nullable; lists have non-null items. Links cost 5, other fields 1 (rule graphql/costs).
 * @param owner name of the field's type
 */
export function fieldOutput(field: FieldDefinition, owner: string, types: ProjectTypes): EntryField {
  const output = outputOf(field, owner, types);
  const isRead = output === null;
  const config = withSource(field, fieldConfig(field, { output, owner, types }));
  return {
    ...config,
    description: describeField(field),
    extensions: {
      complexity: isRead ? 5 : 1,
      isSemanticNonNull: config.type instanceof GraphQLList || isSemanticNonNull(field, output),
    },
    ...(field.deprecated && { deprecationReason: 'Deprecated in the content model.' }),
  };
}
