import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
} from 'graphql';
import { limits } from '../../../../contracts/limits.js';
import { collectionTypeName } from '../../../content/graphql-names.js';
import type { CollectionArguments, ReadContext } from '../reads/read-context.js';
import { jsonType } from '../system/system-schema.js';
import type { NamedContentType } from './naming.js';

const collectionArguments: GraphQLFieldConfigArgumentMap = {
  site: { type: GraphQLString, description: 'Site slug; absent means every site.' },
  locale: {
    type: GraphQLString,
    description:
      'Locale; its fallbacks are followed. Absent means the default locale of the site, or of the tenant.',
  },
  preview: {
    type: GraphQLBoolean,
    description:
      'Whether to read drafts: true unless given for preview and management keys, not for delivery keys.',
  },
  limit: {
    type: GraphQLInt,
    defaultValue: limits.pageLimitDefault,
    description: `Items on the page, 1 to ${limits.pageLimitMaximum}.`,
  },
  skip: { type: GraphQLInt, defaultValue: 0, description: 'Items left out before the page.' },
  where: { type: jsonType, description: 'Not applied: a warning in extensions says so.' },
  orderBy: {
    type: GraphQLString,
    description: 'Not applied: collections are sorted by _updatedAt, newest first.',
  },
};

const count = new GraphQLNonNull(GraphQLInt);

function collectionType(typeName: string, items: GraphQLObjectType): GraphQLObjectType {
  return new GraphQLObjectType({
    name: collectionTypeName(typeName),
    description: `A page of ${typeName} entries, newest _updatedAt first.`,
    fields: {
      items: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(items))),
        description: 'The entries of the page.',
        extensions: { complexity: 0, isPageItems: true },
      },
      total: { type: count, description: 'Entries in the whole collection.' },
      skip: { type: count, description: 'Items left out before the page.' },
      limit: { type: count, description: 'Items that the page may hold.' },
    },
  });
}

/** The root field that lists a content type (specification 4.2): a page, its cost 10 and that of its items. */
export function collectionQuery(
  { typeName, contentType }: NamedContentType,
  items: GraphQLObjectType,
): GraphQLFieldConfig<unknown, ReadContext, CollectionArguments> {
  return {
    type: new GraphQLNonNull(collectionType(typeName, items)),
    description: `Entries of type ${contentType.apiName}, newest _updatedAt first.`,
    args: collectionArguments,
    extensions: { complexity: 10 },
    resolve: (_root, given, context) => context.collection(contentType, given),
  };
}
