import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  printType,
  type GraphQLFieldConfigMap,
} from 'graphql';
import type { RequestReads } from '../reads/request-reads.js';
import {
  contentEntryType,
  jsonType,
  locationType,
  mediaAssetType,
  richTextType,
  routeResolutionType,
  siteRedirectType,
  siteTreeNodeType,
  richTextLinkType,
} from '../system/system-schema.js';
import { collectionType, searchHitsType, searchHitType, searchSuggestionType } from './collection-type.js';
import { rootField, rootFieldName } from './root-field.js';

const siteRedirects = collectionType(siteRedirectType.name, siteRedirectType, {
  description: 'A page of the active redirects of a site.',
});

const searchHits = searchHitsType();

/** Root fields of every project. */
export const systemRootFields = (): GraphQLFieldConfigMap<unknown, RequestReads> => ({
  [rootFieldName('asset')]: rootField('asset', mediaAssetType),
  [rootFieldName('entry')]: rootField('entry', contentEntryType),
  [rootFieldName('entryBySlug')]: rootField('entryBySlug', contentEntryType),
  [rootFieldName('redirects')]: rootField('redirects', new GraphQLNonNull(siteRedirects)),
  [rootFieldName('resolveRoute')]: rootField('resolveRoute', routeResolutionType),
  [rootFieldName('search')]: rootField('search', new GraphQLNonNull(searchHits)),
  [rootFieldName('tree')]: rootField('tree', new GraphQLList(new GraphQLNonNull(siteTreeNodeType))),
});

/** SDL for `openapi/system.graphql`. */
export function systemSdl(): string {
  const query = new GraphQLObjectType({ name: 'Query', fields: systemRootFields() });
  const types = [
    contentEntryType,
    jsonType,
    locationType,
    mediaAssetType,
    query,
    richTextLinkType,
    richTextType,
    routeResolutionType,
    searchHits,
    searchHitType,
    searchSuggestionType,
    siteRedirectType,
    siteRedirects,
    siteTreeNodeType,
  ];
  return `${types.map(printType).join('\n\n')}\n`;
}
