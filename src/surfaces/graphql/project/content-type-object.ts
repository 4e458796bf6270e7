import { GraphQLObjectType, type GraphQLFieldConfigMap } from 'graphql';
import type { EntryNode } from '../reads/entry-node.js';
import type { ReadContext } from '../reads/read-context.js';
import { contentEntryType } from '../system/system-schema.js';
import { fieldOutput, type ProjectTypes } from './field-outputs.js';
import type { NamedContentType } from './naming.js';

type EntryFields = GraphQLFieldConfigMap<EntryNode, ReadContext>;

/** System fields of an object type: the values are the getters of the entry itself. */
function systemFields(): EntryFields {
  const fields = Object.values(contentEntryType.getFields());
  return Object.fromEntries(fields.map(({ name, type, description }) => [name, { type, description }]));
}

/**
 * The object type of a content type: system fields, then its own under their `apiName`s (specification 2.4).
 * @param types what fields of the project may be of
 */
export function contentTypeObject(
  { typeName, contentType }: NamedContentType,
  types: ProjectTypes,
): GraphQLObjectType {
  return new GraphQLObjectType<EntryNode, ReadContext>({
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
