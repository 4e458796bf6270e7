import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { collectionTypeName } from '../../../content/graphql-names.js';

const count = new GraphQLNonNull(GraphQLInt);

const nextCursor = {
  type: GraphQLString,
  description: 'Cursor of the next page. Null on the last page, and without the argument `cursor`.',
};

/** The root field costs 10, `items` as much as its items (decisions 2.25). */
export function collectionType(
  typeName: string,
  items: GraphQLObjectType,
  { description, hasCursor = false }: { description: string; hasCursor?: boolean },
): GraphQLObjectType {
  return new GraphQLObjectType({
    name: collectionTypeName(typeName),
    description,
    fields: {
      items: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(items))),
        description: 'Items on the page.',
        extensions: { complexity: 0, isPageItems: true },
      },
      total: { type: count, description: 'Number of items in the collection.' },
      skip: { type: count, description: 'Number of items skipped.' },
      limit: { type: count, description: 'Maximum number of items on the page.' },
      ...(hasCursor && { nextCursor }),
    },
  });
}
