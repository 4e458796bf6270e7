import { GraphQLObjectType, GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import type { Catalog } from '../../../content/catalog.js';
import type { EntryTypeNames } from '../reads/entry-node.js';
import type { ReadContext } from '../reads/read-context.js';
import { systemQueryFields } from '../system/system-schema.js';
import { collectionQuery } from './collection-query.js';
import { contentTypeObject } from './content-type-object.js';
import { customOutputs } from './custom-output.js';
import { collectionFieldName, namedTypes } from './naming.js';

/** The GraphQL face of a project. */
export interface ProjectSchema {
  readonly schema: GraphQLSchema;
  /** Names of the types of entries by content type id. */
  readonly typeNames: ReadonlyMap<string, EntryTypeNames>;
}

/** The schema of a project's content types (specification 2.4); valid without any of them too. */
export function buildProjectSchema(catalog: Catalog): ProjectSchema {
  const named = namedTypes(catalog);
  const entries = new Map<string, GraphQLObjectType>();
  const custom = customOutputs(catalog);
  const types = { entries, custom: custom.outputs };
  const fields = systemQueryFields();
  for (const item of named) {
    const object = contentTypeObject(item, types);
    entries.set(item.contentType.apiName, object);
    fields[collectionFieldName(item.contentType.apiName)] = collectionQuery(item, object);
  }
  const query = new GraphQLObjectType<unknown, ReadContext>({
    name: 'Query',
    description: 'Content of the project.',
    fields,
  });
  const typeNames = new Map(
    named.map(({ contentType: { id, apiName }, typeName }) => [id, { apiName, typeName }]),
  );
  return { schema: new GraphQLSchema({ query, types: [...entries.values(), ...custom.types] }), typeNames };
}

/** The schema of a project as SDL, sorted by name, so that it changes only where the content model does. */
export function projectSdl(catalog: Catalog): string {
  return `${printSchema(lexicographicSortSchema(buildProjectSchema(catalog).schema))}\n`;
}
