import { GraphQLFloat, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { FoundContent, SearchHit, searchCounts } from '../../../../contracts/resources/search-hit.js';
import { contentEntryType, jsonType } from '../system/system-schema.js';
import { descriptionOf } from '../system/zod-type.js';
import { collectionType } from './collection-type.js';

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

/** A collection with facets. */
export function searchHitsType(): GraphQLObjectType {
  const page = collectionType(searchHitType.name, searchHitType, {
    description: 'A page of found entries, the best first.',
  });
  const config = page.toConfig();
  const facets = { type: jsonType, description: descriptionOf(searchCounts.facets) ?? '' };
  return new GraphQLObjectType({ ...config, fields: { ...config.fields, facets } });
}
