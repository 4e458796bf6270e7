import 'reflect-metadata';
import {
  assertInterfaceType,
  assertObjectType,
  printType,
  type GraphQLFieldConfigMap,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
} from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { buildSchemaSync } from 'type-graphql';
import type { ReadContext } from '../reads/read-context.js';
import { Location } from './location.js';
import { RichText } from './rich-text.js';
import { SystemQueries } from './system-queries.js';

const schema = buildSchemaSync({
  resolvers: [SystemQueries],
  orphanedTypes: [Location, RichText],
  validate: false,
});

/** Interface of all entries, shared by the schemas of all projects. Values name their own type. */
export const contentEntryType: GraphQLInterfaceType = assertInterfaceType(schema.getType('ContentEntry'));
// Set on the type: what type-graphql would make of the decorator's option is a promise for every entry.
contentEntryType.resolveType = (entry: { readonly typeName: string }) => entry.typeName;

/** Object type of rich texts. */
export const richTextType: GraphQLObjectType = assertObjectType(schema.getType('RichText'));

/** Object type of locations. */
export const locationType: GraphQLObjectType = assertObjectType(schema.getType('Location'));

/** Scalar of values of any shape. */
export const jsonType = GraphQLJSON;

/** Root fields that do not depend on content types. */
export function systemQueryFields(): GraphQLFieldConfigMap<unknown, ReadContext> {
  return { ...assertObjectType(schema.getQueryType()).toConfig().fields };
}

/** The static types as SDL, the same for every project; `openapi/system.graphql` holds it. */
export function systemSdl(): string {
  const query = assertObjectType(schema.getQueryType());
  const route = assertObjectType(schema.getType('RouteResolution'));
  const types = [contentEntryType, jsonType, locationType, query, richTextType, route];
  return `${types.map(printType).join('\n\n')}\n`;
}
