import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import { collectionTypeName } from '../../../content/graphql-names.js';

const count = new GraphQLNonNull(GraphQLInt);

/** The root field costs 10, `items` as much as its entries (decisions 2.25). */
export function collectionType(typeName: string, items: GraphQLObjectType): GraphQLObjectType {
  return new GraphQLObjectType({
    name: collectionTypeName(typeName),
    description: `A page of ${typeName} entries, newest _updatedAt first.`,
    fields: {
      items: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(items))),
        description: 'Entries on the page.',
        extensions: { complexity: 0, isPageItems: true },
      },
      total: { type: count, description: 'Number of entries in the collection.' },
      skip: { type: count, description: 'Number of entries skipped.' },
      limit: { type: count, description: 'Maximum number of entries on the page.' },
    },
  });
}
