import {
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  type GraphQLFieldConfig,
} from 'graphql';
import { RichTextLink, type RichTextValue } from '../../../../contracts/rich-text.js';
import { descriptionOf } from './zod-type.js';

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
export function withTextLinks(type: GraphQLObjectType): GraphQLObjectType {
  const config = type.toConfig();
  return new GraphQLObjectType({ ...config, fields: { ...config.fields, links } });
}
