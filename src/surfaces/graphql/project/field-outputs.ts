import { isObject } from '../../../content/exact-json/is-object.js';
import { isEnumName } from '../../../content/json-schema/shape.js';
import { isGroup } from '../../../content/model/field-definition.js';
import {
  GraphQLEnumType,
  GraphQLUnionType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  GraphQLList,
  type GraphQLOutputType,
  type GraphQLFieldConfig,
} from 'graphql';
import type { FieldDefinition } from '../../../content/catalog.js';
import { type EntryNode, storedTextOf, valueOf } from '../reads/entry-node.js';
import { contentEntryType, mediaAssetType } from '../system/system-schema.js';
import { describeField, memberTypeName, type NamedContentType } from './naming.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { namedInValue, showValue } from '../../../features/publishing/delivery/index.js';
import type { RequestReads } from '../reads/request-reads.js';
import {
  itemsIn,
  listOf,
  optionOutput,
  readItems,
  readValue,
  valueOutputs,
  type ValueOutput,
} from './value-outputs.js';

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

type EntryField = GraphQLFieldConfig<EntryNode, RequestReads>;

/** Values of one field of several entries, in their order. */
type ReadEach = (nodes: readonly EntryNode[], context: RequestReads) => Promise<readonly unknown[]>;

/** `extensions` of a field of an entry, which plans use. */
export interface EntryFieldHints {
  /** What `resolve` reads, for many entries at once. */
  readonly readEach?: ReadEach;
  /** The JSON of the value, if it can be sent as it is stored. */
  readonly storedText?: (entry: EntryNode) => string | undefined;
}

/** A field whose values are read for many entries at once. */
export const readField = (type: GraphQLOutputType, readEach: ReadEach): EntryField => ({
  type,
  resolve: async (entry, _args, context) => (await readEach([entry], context))[0],
  extensions: { readEach } satisfies EntryFieldHints,
});

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

/** Stored text of a scalar is what the scalar would write. */
const textHints = (output: ValueOutput, apiName: string): EntryFieldHints => {
  const { isStoredText } = output;
  if (isStoredText === undefined) return {};
  return {
    storedText: (entry) => {
      const text = storedTextOf(entry, apiName);
      return text !== undefined && isStoredText(text) ? text : undefined;
    },
  };
};

function valueField({ apiName, isList }: FieldDefinition, output: ValueOutput): EntryField {
  if (isList)
    return { type: listOf(output.type), resolve: (entry) => readItems(output, valueOf(entry, apiName)) };
  return {
    type: output.type,
    resolve: (entry) => readValue(output, valueOf(entry, apiName)),
    extensions: { ...textHints(output, apiName) },
  };
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
  const linksIn = (value: unknown): unknown[] => (isList ? itemsIn(value) : [value]);
  return readField(isList ? listOf(type) : type, async (entries, context) => {
    const found = await context.follow(entries, (entry) =>
      linksIn(valueOf(entry, field.apiName)).flatMap(idOf),
    );
    return found.map((targets, index) => {
      const entry = entries[index];
      if (entry !== undefined) context.sources?.place(entry, field, targets);
      const allowed =
        typeNames === null ? targets : targets.filter(({ typeName }) => typeNames.has(typeName));
      return isList ? allowed : (allowed[0] ?? null);
    });
  });
}

function mediaField({ apiName, isList }: FieldDefinition): EntryField {
  const linksIn = (value: unknown): unknown[] => (isList ? itemsIn(value) : [value]);
  return readField(isList ? listOf(mediaAssetType) : mediaAssetType, async (entries, context) => {
    const found = await context.assets(entries, (entry) => linksIn(valueOf(entry, apiName)).flatMap(idOf));
    return isList ? found : found.map(([asset]) => asset ?? null);
  });
}

/** Rich text with what it names. */
function textField(field: FieldDefinition, output: ValueOutput): EntryField {
  const { type } = valueField(field, output);
  const read = field.isList ? readItems : readValue;
  return readField(type, async (entries, context) => {
    const values = entries.map((entry) => read(output, valueOf(entry, field.apiName)));
    const named = values.map(namedInValue);
    const naming = named.flatMap(({ entries: { length }, assets }, index) =>
      length + assets.length === 0 ? [] : [index],
    );
    if (naming.length === 0) return values;
    const shown = await context.shown(
      naming.flatMap((index) => entries[index] ?? []),
      naming.flatMap((index) => named[index] ?? []),
    );
    naming.forEach((index, position) => {
      const own = shown[position];
      if (own !== undefined) values[index] = showValue(values[index], own);
    });
    return values;
  });
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
      ...config.extensions,
      complexity: isRead ? 5 : 1,
      isSemanticNonNull: config.type instanceof GraphQLList || isSemanticNonNull(field, output),
    },
    ...(field.deprecated && { deprecationReason: 'Deprecated in the content model.' }),
  };
}
