import { GraphQLEnumType, GraphQLList, GraphQLObjectType, type GraphQLNamedType } from 'graphql';
import type { Catalog } from '../../../content/catalog.js';
import { collectionTypeName, shapeOfCustomType } from '../../../content/graphql-names.js';
import { typeNamesIn, type ShapeField, type ValueShape } from '../../../content/json-schema/shape.js';
import { namedTypes } from './naming.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import {
  booleanOutput,
  jsonOutput,
  listOf,
  numberOutput,
  readItems,
  readValue,
  textOutput,
  type ValueOutput,
} from './field-outputs.js';

/** Outputs by `apiName`, and the GraphQL types they need. */
export interface CustomOutputs {
  readonly outputs: ReadonlyMap<string, ValueOutput>;
  readonly types: readonly GraphQLNamedType[];
}

/**
 * Rules graphql/types and content/custom-field-types. Writes reject colliding names; otherwise the content type or first custom type
 * gets the name, others are JSON.
 */
export function customOutputs(catalog: Catalog): CustomOutputs {
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
