import { GraphQLObjectType, printType, type GraphQLFieldConfigMap } from 'graphql';
import type { RequestReads } from '../reads/request-reads.js';
import {
  contentEntryType,
  jsonType,
  locationType,
  richTextType,
  routeResolutionType,
} from '../system/system-schema.js';
import { rootField, rootFieldName } from './root-field.js';

/** Root fields that every project has, whatever its content types. */
export const systemRootFields = (): GraphQLFieldConfigMap<unknown, RequestReads> => ({
  [rootFieldName('entry')]: rootField('entry', contentEntryType),
  [rootFieldName('entryBySlug')]: rootField('entryBySlug', contentEntryType),
  [rootFieldName('resolveRoute')]: rootField('resolveRoute', routeResolutionType),
});

/** The types of every project as SDL; `openapi/system.graphql` has it. */
export function systemSdl(): string {
  const query = new GraphQLObjectType({ name: 'Query', fields: systemRootFields() });
  const types = [contentEntryType, jsonType, locationType, query, richTextType, routeResolutionType];
  return `${types.map(printType).join('\n\n')}\n`;
}
