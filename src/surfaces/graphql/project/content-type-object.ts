import { GraphQLObjectType, type GraphQLFieldConfigMap } from 'graphql';
import type { EntryContent } from '../../../../contracts/resources/content-entry.js';
import { pathOf, type EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import { contentEntryType } from '../system/system-schema.js';
import { fieldOutput, type ProjectTypes } from './field-outputs.js';
import type { NamedContentType } from './naming.js';

type EntryFields = GraphQLFieldConfigMap<EntryNode, RequestReads>;

/** The fields of the entry interface. */
function systemFields(): EntryFields {
  const fields = Object.values(contentEntryType.getFields());
  const resolverOf = (name: string) =>
    name === '_path' ? pathOf : ({ entry }: EntryNode) => entry[name as keyof EntryContent];
  return Object.fromEntries(
    fields.map(({ name, type, description }) => [name, { type, description, resolve: resolverOf(name) }]),
  );
}

/** System fields and the content type's fields (specification 2.4). */
export function contentTypeObject(
  { typeName, contentType }: NamedContentType,
  types: ProjectTypes,
): GraphQLObjectType {
  return new GraphQLObjectType<EntryNode, RequestReads>({
    name: typeName,
    description: contentType.description || contentType.name || contentType.apiName,
    interfaces: [contentEntryType],
    fields: () => ({
      ...systemFields(),
      ...Object.fromEntries(
        contentType.fields.map((field) => [field.apiName, fieldOutput(field, typeName, types)]),
      ),
    }),
  });
}
