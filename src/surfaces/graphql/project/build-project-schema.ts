import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLSchema,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  specifiedDirectives,
  visit,
  type FieldDefinitionNode,
  type ObjectTypeDefinitionNode,
  GraphQLEnumType,
  type GraphQLNamedType,
} from 'graphql';
import type { EntryContent } from '../../../../contracts/publishing/delivery/content-entry.js';
import { pathsOf, type EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import { contentEntryType } from '../system/system-schema.js';
import { fieldOutput, optionTypes, readField, type ProjectTypes } from './field-outputs.js';
import {
  booleanOutput,
  jsonOutput,
  listOf,
  numberOutput,
  readItems,
  readValue,
  textOutput,
  type ValueOutput,
} from './value-outputs.js';
import { entryFilter } from './filter-inputs.js';
import { describeType, memberTypeName, type NamedContentType, namedTypes } from './naming.js';
import type { Catalog } from '../../../content/catalog.js';
import { systemTypeNames } from '../../../content/model/api-names.js';
import { collectionType } from './collection-type.js';
import { rootField, rootFieldName, systemRootFields, type TypedFilter } from './root-field.js';
import { collectionTypeName, shapeOfCustomType } from '../../../content/graphql-names.js';
import { typeNamesIn, type ShapeField, type ValueShape } from '../../../content/json-schema/shape.js';
import { isObject } from '../../../content/exact-json/is-object.js';

/** Outputs by `apiName`, and the GraphQL types they need. */
interface CustomOutputs {
  readonly outputs: ReadonlyMap<string, ValueOutput>;
  readonly types: readonly GraphQLNamedType[];
}

/**
 * Rules graphql/types and content/custom-field-types. Writes reject colliding names; otherwise the content type or first custom type
 * gets the name, others are JSON.
 */
function customOutputs(catalog: Catalog): CustomOutputs {
  const named = namedTypes(catalog).map(({ typeName }) => typeName);
  const taken = new Set(named.flatMap((typeName) => [typeName, collectionTypeName(typeName)]));
  const outputs = new Map<string, ValueOutput>();
  const types: GraphQLNamedType[] = [];
  for (const customType of catalog.data.customFieldTypes) {
    const shape = shapeOfCustomType(customType);
    const names = typeNamesIn(shape);
    const isFree = new Set(names).size === names.length && names.every((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    outputs.set(customType.apiName, isFree ? outputOf(shape, types) : jsonOutput);
  }
  return { outputs, types };
}

/** @param types collects created types */
function outputOf(shape: ValueShape, types: GraphQLNamedType[]): ValueOutput {
  switch (shape.kind) {
    case 'text':
      return textOutput;
    case 'number':
      return numberOutput;
    case 'boolean':
      return booleanOutput;
    case 'json':
      return jsonOutput;
    case 'enum':
      return enumOutput(shape, types);
    case 'list':
      return listOutput(shape, types);
    case 'object':
      return objectOutput(shape, types);
  }
}

function enumOutput(
  { typeName, values }: ValueShape & { kind: 'enum' },
  types: GraphQLNamedType[],
): ValueOutput {
  const type = new GraphQLEnumType({
    name: typeName,
    description: 'One of the values listed in the JSON Schema.',
    values: Object.fromEntries(
      values.map((value) => [value, { value, description: `The value "${value}".` }]),
    ),
  });
  types.push(type);
  const known: ReadonlySet<unknown> = new Set(values);
  return { type, fits: (value) => known.has(value) };
}

function listOutput(
  { items, hasNulls }: ValueShape & { kind: 'list' },
  types: GraphQLNamedType[],
): ValueOutput {
  const output = outputOf(items, types);
  const fits = (value: unknown): boolean => Array.isArray(value);
  if (!hasNulls) return { type: listOf(output.type), fits, read: (value) => readItems(output, value) };
  return {
    type: new GraphQLList(output.type),
    fits,
    read: (value) => (value as readonly unknown[]).map((item) => readValue(output, item)),
  };
}

function objectOutput(
  { typeName, description, fields }: ValueShape & { kind: 'object' },
  types: GraphQLNamedType[],
): ValueOutput {
  const type = new GraphQLObjectType<Readonly<Record<string, unknown>>>({
    name: typeName,
    description: description ?? 'An object of a custom field type.',
    fields: Object.fromEntries(fields.map((field) => [field.name, memberField(field, types)])),
  });
  types.push(type);
  return { type, fits: isObject };
}

function memberField({ name, description, shape }: ShapeField, types: GraphQLNamedType[]) {
  const output = outputOf(shape, types);
  return {
    type: output.type,
    description: description ?? `The property "${name}".`,
    resolve: (object: Readonly<Record<string, unknown>>) =>
      Object.hasOwn(object, name) ? readValue(output, object[name]) : null,
  };
}

type EntryFields = GraphQLFieldConfigMap<EntryNode, RequestReads>;

/** The fields of the entry interface. */
function systemFields(): EntryFields {
  const fields = Object.values(contentEntryType.getFields());
  return Object.fromEntries(
    fields.map(({ name, type, description }) => {
      const config =
        name === '_path'
          ? readField(type, pathsOf)
          : { type, resolve: ({ entry }: EntryNode) => entry[name as keyof EntryContent] };
      return [name, { ...config, description }];
    }),
  );
}

/** System fields and the content type's fields (rule graphql/types). */
function contentTypeObject(
  { typeName, contentType }: NamedContentType,
  types: ProjectTypes,
): GraphQLObjectType {
  return new GraphQLObjectType<EntryNode, RequestReads>({
    name: typeName,
    description: describeType(contentType),
    interfaces: [contentEntryType],
    fields: () => ({
      ...systemFields(),
      ...Object.fromEntries(
        contentType.fields.map((field) => [field.apiName, fieldOutput(field, typeName, types)]),
      ),
    }),
  });
}

/** As Relay, Apollo Kotlin and graphql-sock read it. */
const semanticNonNull = new GraphQLDirective({
  name: 'semanticNonNull',
  description: 'Of published entries, the field is null only where reading it failed.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLList(GraphQLInt),
      defaultValue: [0],
      description: 'Where this holds: 0 is the field, 1 the items of its list.',
    },
  },
});

export interface ProjectSchema {
  readonly schema: GraphQLSchema;
  /** By `apiName` of the content type. */
  readonly typeNames: ReadonlyMap<string, string>;
}

/** The filter of search. Its inputs take names that no other type has. */
function filterOf(
  named: readonly NamedContentType[],
  { custom, options }: { readonly custom: CustomOutputs; readonly options: ProjectTypes['options'] },
): TypedFilter | undefined {
  const ofContentTypes = named.flatMap(({ typeName, contentType: { fields } }) => [
    typeName,
    collectionTypeName(typeName),
    ...fields.map(({ apiName }) => memberTypeName(typeName, apiName)),
  ]);
  const type = entryFilter({
    named,
    taken: new Set([...systemTypeNames, ...ofContentTypes, ...custom.types.map(({ name }) => name)]),
    options: (typeName, { apiName }) => options.get(memberTypeName(typeName, apiName)),
  });
  return type && { type, named };
}

/** Rule graphql/types; valid without content types. */
export function buildProjectSchema(catalog: Catalog): ProjectSchema {
  const named = namedTypes(catalog);
  const entries = new Map<string, GraphQLObjectType>();
  const custom = customOutputs(catalog);
  const options = optionTypes(named);
  const types = { entries, custom: custom.outputs, options };
  const fields = systemRootFields(filterOf(named, { custom, options }));
  for (const item of named) {
    const { apiName } = item.contentType;
    const object = contentTypeObject(item, types);
    entries.set(apiName, object);
    const given = { contentTypeApiName: apiName };
    const description = `A page of ${item.typeName} entries, newest _updatedAt first.`;
    const type = new GraphQLNonNull(collectionType(item.typeName, object, { description, hasCursor: true }));
    fields[rootFieldName('collection', given)] = rootField('collection', type, given);
  }
  const query = new GraphQLObjectType<unknown, RequestReads>({
    name: 'Query',
    description: 'Content of the project.',
    fields,
  });
  const typeNames = new Map(named.map(({ contentType: { apiName }, typeName }) => [apiName, typeName]));
  const all = [...entries.values(), ...custom.types];
  const directives = [...specifiedDirectives, semanticNonNull];
  return { schema: new GraphQLSchema({ query, types: all, directives }), typeNames };
}

const marked = (node: FieldDefinitionNode): FieldDefinitionNode => ({
  ...node,
  directives: [
    ...(node.directives ?? []),
    { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: semanticNonNull.name } },
  ],
});

/** `printSchema` prints no directives but `@deprecated`. */
function withSemanticNonNull(sdl: string, schema: GraphQLSchema): string {
  const mark = (node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode => {
    const type = schema.getType(node.name.value);
    const fields = type instanceof GraphQLObjectType ? type.getFields() : {};
    const isMarked = ({ name }: FieldDefinitionNode) =>
      fields[name.value]?.extensions.isSemanticNonNull === true;
    return { ...node, fields: node.fields?.map((field) => (isMarked(field) ? marked(field) : field)) ?? [] };
  };
  return print(visit(parse(sdl), { ObjectTypeDefinition: mark }));
}

/** SDL sorted by name, so that it changes only with the content model. */
export function projectSdl(catalog: Catalog): string {
  const schema = lexicographicSortSchema(buildProjectSchema(catalog).schema);
  return `${withSemanticNonNull(printSchema(schema), schema)}\n`;
}
