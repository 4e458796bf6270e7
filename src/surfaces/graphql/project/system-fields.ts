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
  siteTreeNodeType,
} from '../system/system-schema.js';
import { rootField, rootFieldName } from './root-field.js';

/** Root fields of every project. */
export const systemRootFields = (): GraphQLFieldConfigMap<unknown, RequestReads> => ({
  [rootFieldName('asset')]: rootField('asset', mediaAssetType),
  [rootFieldName('entry')]: rootField('entry', contentEntryType),
  [rootFieldName('entryBySlug')]: rootField('entryBySlug', contentEntryType),
  [rootFieldName('resolveRoute')]: rootField('resolveRoute', routeResolutionType),
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
    richTextType,
    routeResolutionType,
    siteTreeNodeType,
  ];
  return `${types.map(printType).join('\n\n')}\n`;
}
