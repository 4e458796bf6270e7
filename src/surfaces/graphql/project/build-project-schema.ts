import {
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import type { Catalog } from '../../../content/catalog.js';
import type { RequestReads } from '../reads/request-reads.js';
import { collectionType } from './collection-type.js';
import { contentTypeObject } from './content-type-object.js';
import { customOutputs } from './custom-output.js';
import { namedTypes } from './naming.js';
import { rootField, rootFieldName } from './root-field.js';
import { systemRootFields } from './system-fields.js';

export interface ProjectSchema {
  readonly schema: GraphQLSchema;
  /** By `apiName` of the content type. */
  readonly typeNames: ReadonlyMap<string, string>;
}

/** Specification 2.4; valid without content types. */
export function buildProjectSchema(catalog: Catalog): ProjectSchema {
  const named = namedTypes(catalog);
  const entries = new Map<string, GraphQLObjectType>();
  const custom = customOutputs(catalog);
  const types = { entries, custom: custom.outputs };
  const fields = systemRootFields();
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
  return { schema: new GraphQLSchema({ query, types: [...entries.values(), ...custom.types] }), typeNames };
}

/** SDL sorted by name, so that it changes only with the content model. */
export function projectSdl(catalog: Catalog): string {
  return `${printSchema(lexicographicSortSchema(buildProjectSchema(catalog).schema))}\n`;
}
