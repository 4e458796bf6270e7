import type { GraphQLFieldConfig } from 'graphql';
import type { FieldDefinition } from '../../../content/catalog.js';
import { kindOf, type GraphqlValueType } from '../../../content/field-kinds/index.js';
import { mediaIdsIn, showMedia } from '../../../features/delivery/index.js';
import { mediaAssetType } from '../system/system-schema.js';
import { valueOf, type EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import { referenceTarget, type EntryTypes } from './reference-union.js';
import {
  booleanOutput,
  isObject,
  itemsIn,
  jsonOutput,
  listOf,
  locationOutput,
  numberOutput,
  readItems,
  readValue,
  richTextOutput,
  textOutput,
  type ValueOutput,
} from './value-output.js';

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

export interface ProjectTypes {
  /** Complete when fields are resolved. */
  readonly entries: EntryTypes;
  /** By `apiName`. */
  readonly custom: ReadonlyMap<string, ValueOutput>;
}

function valueField({ apiName, isList }: FieldDefinition, output: ValueOutput): EntryField {
  if (isList)
    return { type: listOf(output.type), resolve: (entry) => readItems(output, valueOf(entry, apiName)) };
  return { type: output.type, resolve: (entry) => readValue(output, valueOf(entry, apiName)) };
}

function outputOf(field: FieldDefinition, { custom }: ProjectTypes): ValueOutput | null {
  return custom.get(field.customType?.apiName ?? '') ?? valueOutputs[kindOf(field).graphqlType];
}

const idOf = (link: unknown): string[] => {
  const id = isObject(link) ? link._ref : undefined;
  return typeof id === 'string' ? [id.toLowerCase()] : [];
};

function linkField(field: FieldDefinition, owner: string, types: EntryTypes): EntryField {
  const { type, typeNames } = referenceTarget(field, owner, types);
  const isList = field.isList || kindOf(field).isAlwaysList;
  const follow = async (
    entry: EntryNode,
    links: readonly unknown[],
    context: RequestReads,
  ): Promise<EntryNode[]> => {
    const targets = await context.follow(entry, links.flatMap(idOf));
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

/** Rich text whose embedded assets are shown. */
function embeddingField(field: FieldDefinition, output: ValueOutput): EntryField {
  const { type } = valueField(field, output);
  const read = field.isList ? readItems : readValue;
  return {
    type,
    resolve: async (entry, _args, context) => {
      const value = read(output, valueOf(entry, field.apiName));
      const ids = mediaIdsIn(value);
      if (ids.length === 0) return value;
      const assets = await context.assets(entry, ids);
      return showMedia(value, new Map(assets.map((asset) => [asset.id, asset])));
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
  return namesMedia ? embeddingField(field, output) : valueField(field, output);
}

/**
 * Nullable; lists have non-null items. Links cost 5, other fields 1 (decisions 2.25).
 * @param owner name of the field's type
 */
export function fieldOutput(field: FieldDefinition, owner: string, types: ProjectTypes): EntryField {
  const output = outputOf(field, types);
  const isRead = output === null;
  return {
    ...fieldConfig(field, { output, owner, types }),
    description: field.description || field.name || field.apiName,
    extensions: { complexity: isRead ? 5 : 1 },
    ...(field.deprecated && { deprecationReason: 'Deprecated in the content model.' }),
  };
}
