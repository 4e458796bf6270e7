import {
  assertInterfaceType,
  assertObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLInterfaceType,
} from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { buildSchemaSync } from 'type-graphql';
import { ContentEntry } from '../../../../contracts/publishing/delivery/content-entry.js';
import { LocationValue } from '../../../../contracts/location.js';
import { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import { StoredRichText } from '../../../../contracts/rich-text.js';
import { RouteResolution } from '../../../../contracts/publishing/delivery/route.js';
import { SiteRedirect } from '../../../../contracts/publishing/delivery/site-redirect.js';
import { SiteTreeNode } from '../../../../contracts/publishing/delivery/site-tree-node.js';
import { withRenditionUrls } from './rendition-url.js';
import { withTextLinks } from './text-links.js';
import { descriptionOf, scalarOf, systemClasses, unwrap } from './zod-type.js';

const [entryClass, ...otherClasses] = systemClasses([
  { name: 'ContentEntry', schema: ContentEntry, isInterface: true },
  { name: 'Location', schema: LocationValue },
  { name: 'MediaAsset', schema: DeliveryMedia },
  { name: 'RichText', schema: StoredRichText },
  { name: 'RouteResolution', schema: RouteResolution },
  { name: 'SiteRedirect', schema: SiteRedirect },
]);

// Projects add the root fields, so this schema alone is invalid.
const schema = buildSchemaSync({
  resolvers: [entryClass ?? Object],
  orphanedTypes: otherClasses,
  skipCheck: true,
  validate: false,
});

/** Shared by the schemas of all projects. */
export const contentEntryType: GraphQLInterfaceType = assertInterfaceType(schema.getType('ContentEntry'));
// type-graphql's option would return a promise per entry.
contentEntryType.resolveType = (entry: { readonly typeName: string }) => entry.typeName;

export const richTextType: GraphQLObjectType = withTextLinks(assertObjectType(schema.getType('RichText')));

export const locationType: GraphQLObjectType = assertObjectType(schema.getType('Location'));

export const mediaAssetType: GraphQLObjectType = withRenditionUrls(
  assertObjectType(schema.getType('MediaAsset')),
);

export const routeResolutionType: GraphQLObjectType = assertObjectType(schema.getType('RouteResolution'));

export const siteRedirectType: GraphQLObjectType = assertObjectType(schema.getType('SiteRedirect'));

/** By hand: type-graphql has no type for a schema that contains itself. */
export const siteTreeNodeType: GraphQLObjectType = new GraphQLObjectType({
  name: 'SiteTreeNode',
  description: descriptionOf(SiteTreeNode) ?? '',
  fields: () => {
    const { children, ...scalars } = SiteTreeNode.shape;
    const below = new GraphQLList(new GraphQLNonNull(siteTreeNodeType));
    return {
      ...Object.fromEntries(
        Object.entries(scalars).map(([key, part]) => {
          const { schema: bare, isNullable } = unwrap(part);
          const scalar = scalarOf(key, bare);
          const type = isNullable ? scalar : new GraphQLNonNull(scalar);
          return [key, { type, description: descriptionOf(part) ?? key }];
        }),
      ),
      children: {
        type: new GraphQLNonNull(below),
        description: descriptionOf(children) ?? '',
        extensions: { complexity: 5 },
      },
    };
  },
});

export const jsonType = GraphQLJSON;
