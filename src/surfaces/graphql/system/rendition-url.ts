import {
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { MediaTransform } from '../../../../contracts/media/media/media-transform.js';
import { transformQuery } from '../../../features/media/media/index.js';

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
export function withRenditionUrls(type: GraphQLObjectType): GraphQLObjectType {
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
