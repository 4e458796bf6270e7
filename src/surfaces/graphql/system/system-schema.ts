import {
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  assertInterfaceType,
  assertObjectType,
  type GraphQLFieldConfig,
  type GraphQLInterfaceType,
} from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { buildSchemaSync } from 'type-graphql';
import { RichTextLink, StoredRichText, type RichTextValue } from '../../../../contracts/rich-text.js';
import { MediaTransform } from '../../../../contracts/media/media/media-file.js';
import { ContentEntry } from '../../../../contracts/publishing/delivery/content-entry.js';
import { LocationValue } from '../../../../contracts/location.js';
import { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import {
  RouteResolution,
  SiteRedirect,
  SiteTreeNode,
} from '../../../../contracts/publishing/delivery/route.js';
import { transformQuery } from '../../../features/media/media/index.js';
import { descriptionOf, scalarOf, systemClasses, unwrap } from './zod-type.js';

const { _type, _slug, _path, title } = RichTextLink.shape;

/** GraphQL has no maps: the id is a field. */
export const richTextLinkType = new GraphQLObjectType({
  name: 'RichTextLink',
  description: descriptionOf(RichTextLink) ?? '',
  fields: {
    _id: { type: new GraphQLNonNull(GraphQLID), description: 'Id of the entry or asset.' },
    _type: { type: new GraphQLNonNull(GraphQLString), description: descriptionOf(_type) ?? '' },
    _slug: { type: GraphQLString, description: descriptionOf(_slug) ?? '' },
    _path: { type: GraphQLString, description: descriptionOf(_path) ?? '' },
    title: { type: GraphQLString, description: descriptionOf(title) ?? '' },
  },
});

const links: GraphQLFieldConfig<RichTextValue, unknown> = {
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(richTextLinkType))),
  description: 'Published entries and assets that the rich text links to, mentions or embeds.',
  resolve: ({ links: byId = {} }) => Object.entries(byId).map(([_id, link]) => ({ _id, ...link })),
};

/** Adds the entries and assets that rich text refers to. */
function withTextLinks(type: GraphQLObjectType): GraphQLObjectType {
  const config = type.toConfig();
  return new GraphQLObjectType({ ...config, fields: { ...config.fields, links } });
}

/** Arguments by their names in URLs. */
const argumentNames = {
  width: 'w',
  height: 'h',
  fit: 'fit',
  format: 'fm',
  quality: 'q',
  dpr: 'dpr',
} as const;
type ArgumentName = keyof typeof argumentNames;

const types = {
  width: GraphQLInt,
  height: GraphQLInt,
  fit: GraphQLString,
  format: GraphQLString,
  quality: GraphQLInt,
  dpr: GraphQLFloat,
} as const satisfies Record<ArgumentName, unknown>;

const names = Object.keys(argumentNames) as ArgumentName[];

type Values = Readonly<Partial<Record<ArgumentName, unknown>>>;

/** @throws GraphQLError if a value is out of range */
function transformOf(values: Values): MediaTransform | undefined {
  const given = names.filter((name) => values[name] !== undefined && values[name] !== null);
  if (given.length === 0) return undefined;
  const parsed = MediaTransform.safeParse(
    Object.fromEntries(given.map((name) => [argumentNames[name], values[name]])),
  );
  if (parsed.success) return parsed.data;
  const wrong = given.filter((name) =>
    parsed.error.issues.some(({ path }) => path[0] === argumentNames[name]),
  );
  throw new GraphQLError(`Invalid value of ${wrong.join(', ')}.`, {
    extensions: { code: 'validation_failed' },
  });
}

/** Gives `url` the arguments of a rendition (rule media/renditions). */
function withRenditionUrls(type: GraphQLObjectType): GraphQLObjectType {
  const config = type.toConfig();
  const args = Object.fromEntries(
    names.map((name) => [
      name,
      { type: types[name], description: MediaTransform.shape[argumentNames[name]].description },
    ]),
  );
  return new GraphQLObjectType({
    ...config,
    fields: {
      ...config.fields,
      url: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'URL of the file, or of a rendition if there are arguments. It changes with the file.',
        args,
        resolve: ({ url }: { readonly url: string }, values: Values) => {
          const transform = transformOf(values);
          return transform === undefined ? url : `${url}?${transformQuery(transform).toString()}`;
        },
      },
    },
  });
}

const mediaTexts = {
  id: 'Id of the asset.',
  fileName: 'Name of the file, with its extension.',
  altText: 'What the picture shows, for readers who do not see it.',
  title: 'Title in the requested locale.',
  description: 'Description in the requested locale.',
};

const [entryClass, ...otherClasses] = systemClasses([
  { name: 'ContentEntry', schema: ContentEntry, isInterface: true },
  { name: 'Location', schema: LocationValue },
  { name: 'MediaAsset', schema: DeliveryMedia, texts: mediaTexts },
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
