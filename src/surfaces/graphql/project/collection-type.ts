import {
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLFloat,
} from 'graphql';
import { collectionTypeName } from '../../../content/graphql-names.js';
import {
  FoundContent,
  SearchCompletion,
  SearchHit,
  Suggestion,
  searchCounts,
} from '../../../../contracts/publishing/delivery/search-hit.js';
import { contentEntryType, jsonType } from '../system/system-schema.js';
import type { z } from 'zod';
import { descriptionOf, scalarOf, unwrap } from '../system/zod-type.js';

const count = new GraphQLNonNull(GraphQLInt);

const nextCursor = {
  type: GraphQLString,
  description: 'Cursor of the next page. Null on the last page, and without the argument `cursor`.',
};

/** The root field costs 10, `items` as much as its items (rule graphql/costs). */
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

const { title, score, highlights } = FoundContent.shape;

/** An entry costs as much as a reference. */
export const searchHitType = new GraphQLObjectType({
  name: 'SearchHit',
  description: descriptionOf(SearchHit) ?? '',
  fields: {
    entry: {
      type: new GraphQLNonNull(contentEntryType),
      description: 'The entry in the locale served.',
      extensions: { complexity: 5 },
    },
    title: { type: new GraphQLNonNull(GraphQLString), description: descriptionOf(title) ?? '' },
    score: { type: new GraphQLNonNull(GraphQLFloat), description: descriptionOf(score) ?? '' },
    highlights: { type: jsonType, description: descriptionOf(highlights) ?? '' },
  },
});

const { q, total } = Suggestion.shape;

export const searchSuggestionType = new GraphQLObjectType({
  name: 'SearchSuggestion',
  description: descriptionOf(Suggestion) ?? '',
  fields: {
    q: { type: new GraphQLNonNull(GraphQLString), description: descriptionOf(q) ?? '' },
    total: { type: count, description: descriptionOf(total) ?? '' },
  },
});

const completion = SearchCompletion.shape;
const completionFields = Object.entries<z.ZodType>(completion).map(([key, part]) => {
  const { schema, isNullable } = unwrap(part);
  const scalar = scalarOf(key, schema);
  const type = isNullable ? scalar : new GraphQLNonNull(scalar);
  return [key, { type, description: descriptionOf(part) ?? key }] as const;
});

export const searchCompletionType = new GraphQLObjectType({
  name: 'SearchCompletion',
  description: descriptionOf(SearchCompletion) ?? '',
  fields: Object.fromEntries(completionFields),
});

/** A collection with facets and what may be meant. */
export function searchHitsType(): GraphQLObjectType {
  const page = collectionType(searchHitType.name, searchHitType, {
    description: 'A page of found entries, the best first.',
  });
  const config = page.toConfig();
  const facets = { type: jsonType, description: descriptionOf(searchCounts.facets) ?? '' };
  const facetTitles = { type: jsonType, description: descriptionOf(searchCounts.facetTitles) ?? '' };
  const suggestion = { type: searchSuggestionType, description: searchSuggestionType.description ?? '' };
  return new GraphQLObjectType({ ...config, fields: { ...config.fields, facets, facetTitles, suggestion } });
}
