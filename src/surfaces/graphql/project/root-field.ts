import type { EntryContent, ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { FoundContent } from '../../../../contracts/publishing/delivery/search-hit.js';
import type { SiteRedirect, SiteTreeNode } from '../../../../contracts/publishing/delivery/route.js';
import { invalidInput } from '../../../../contracts/errors.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import type { EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import { type RootVerb, rootContracts, type RootArgument } from '../system/root-contracts.js';
import type { NamedContentType } from './naming.js';
import {
  GraphQLNonNull,
  type GraphQLInputObjectType,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
  GraphQLList,
  GraphQLObjectType,
  printType,
  type GraphQLFieldConfigMap,
} from 'graphql';
import { descriptionOf, inputTypeOf, unwrap } from '../system/zod-type.js';
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
import {
  collectionType,
  searchCompletionType,
  searchHitsType,
  searchHitType,
  searchSuggestionType,
} from './collection-type.js';

interface EntryResult {
  readonly data: EntryContent | null;
  readonly meta: ReadOrigin;
}

interface Counts {
  readonly total: number;
  readonly skip: number;
  readonly limit: number;
}

interface CollectionResult {
  readonly data: readonly EntryContent[];
  readonly meta: ReadOrigin & Counts & { readonly nextCursor?: string | null };
}

interface RedirectsResult {
  readonly data: readonly SiteRedirect[];
  readonly meta: Counts;
}

interface SearchResult {
  readonly data: readonly FoundContent[];
  readonly meta: ReadOrigin &
    Counts & { readonly facets?: unknown; readonly facetTitles?: unknown; readonly suggestion?: unknown };
}

interface RouteResult {
  readonly data: { readonly entry: EntryContent | null } | null;
  readonly meta: ReadOrigin;
}

function entry({ data, meta }: EntryResult, context: RequestReads): EntryNode | null {
  return data && (context.rootNodes([data], meta)[0] ?? null);
}

function collection({ data, meta }: CollectionResult, context: RequestReads) {
  const { total, skip, limit, nextCursor } = meta;
  return { items: context.rootNodes(data, meta), total, skip, limit, nextCursor };
}

/** Omits entries whose type the schema lacks. */
function search({ data, meta }: SearchResult, context: RequestReads) {
  const { total, skip, limit, facets, facetTitles, suggestion } = meta;
  const items = data.flatMap(({ entry: content, ...hit }) => {
    const node = entry({ data: content, meta }, context);
    return node === null ? [] : [{ ...hit, entry: node }];
  });
  return { items, total, skip, limit, facets, facetTitles, suggestion };
}

const asset = ({ data }: { readonly data: unknown }): unknown => data;

/** Null if the schema lacks the type of the entry. */
function route({ data, meta }: RouteResult, context: RequestReads) {
  if (!data?.entry) return data;
  const node = entry({ data: data.entry, meta }, context);
  return node && { ...data, entry: node };
}

/** The nodes have the shape of their type. */
const tree = ({ data }: { readonly data: readonly SiteTreeNode[] | null }) => data;

const suggest = asset;

const redirects = ({ data, meta }: RedirectsResult) => ({ items: data, ...meta });

/** Converts results of procedures to GraphQL values. */
const presentRoot = {
  entry,
  entryBySlug: entry,
  collection,
  asset,
  resolveRoute: route,
  tree,
  search,
  suggest,
  redirects,
} satisfies Record<RootVerb, (result: never, context: RequestReads) => unknown>;

/** Input contained in the field name. */
type Given = Readonly<Record<string, string>>;

function argumentConfig({ inputKey, schema: declared }: RootArgument) {
  const { schema, isNullable, defaultValue } = unwrap(declared);
  const type = inputTypeOf(inputKey, schema);
  return {
    type: isNullable ? type : new GraphQLNonNull(type),
    description: descriptionOf(declared),
    ...(defaultValue !== undefined && { defaultValue }),
  };
}

const fillTemplate = (template: string, given: Given): string =>
  template.replace(/\{(\w+)\}/g, (_match, key: string) => given[key] ?? '');

export const rootFieldName = (verb: RootVerb, given: Given = {}): string =>
  fillTemplate(rootContracts[verb].meta.field, given);

/** Resolves through the contract's procedure. Null arguments count as absent. */
export function rootField(
  verb: RootVerb,
  type: GraphQLOutputType,
  given: Given = {},
): GraphQLFieldConfig<unknown, RequestReads, Readonly<Record<string, unknown>>> {
  const { meta, arguments: declared } = rootContracts[verb];
  const present = presentRoot[verb];
  return {
    type,
    description: fillTemplate(meta.description, given),
    args: Object.fromEntries(declared.map((argument) => [argument.name, argumentConfig(argument)])),
    extensions: { complexity: meta.complexity },
    resolve: async (_root, values, context) => {
      const input: Record<string, unknown> = { ...given };
      for (const { name, inputKey } of declared)
        if (values[name] !== undefined && values[name] !== null) input[inputKey] = values[name];
      return present((await context.read(verb, input)) as never, context);
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

const parts = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Writes filters as `where` of delivery, which refuses null. */
class WhereWriter {
  readonly #types: ReadonlyMap<string, NamedContentType>;

  constructor(named: readonly NamedContentType[]) {
    this.#types = new Map(named.map((one) => [one.typeName, one]));
  }

  /** @param member a filter by the name of its type */
  write(member: Members): { contentTypeApiName: string; where: string } | undefined {
    const [one] = this.#ofTypes(member);
    return one && { contentTypeApiName: one.apiName, where: JSON.stringify(one.where) };
  }

  #ofTypes(members: Members): { apiName: string; where: Members }[] {
    return Object.entries(members).flatMap(([typeName, filter]) => {
      const type = this.#types.get(typeName);
      if (type === undefined || !isObject(filter)) return [];
      return [{ apiName: type.contentType.apiName, where: this.#where(filter) }];
    });
  }

  #where(filter: Members): Members {
    const where: Record<string, unknown> = {};
    const further: Members[] = [];
    for (const [key, value] of Object.entries(filter)) {
      if (key === 'not' && isObject(value)) where.not = this.#where(value);
      else if (Array.isArray(value)) where[key] = parts(value).map((one) => this.#where(one));
      else if (!isObject(value)) where[key] = value;
      else
        for (const part of this.#ofField(key, value))
          if (Object.hasOwn(part, key) && !Object.hasOwn(where, key)) where[key] = part[key];
          else further.push(part);
    }
    return further.length === 0 ? where : { ...where, and: [...parts(where.and), ...further] };
  }

  /** All of them have to match. */
  #ofField(key: string, value: Members): Members[] {
    const compared = Object.entries(value).filter(([member]) => !this.#types.has(member));
    const targets = this.#ofTypes(value).map(({ apiName, where }) => ({
      [key]: { _type: { eq: apiName }, ...where },
    }));
    const [target] = targets;
    if (target === undefined) return [{ [key]: Object.fromEntries(compared) }];
    const ofTarget: Members = targets.length === 1 ? target : { or: targets };
    return compared.length === 0 ? [ofTarget] : [{ [key]: Object.fromEntries(compared) }, ofTarget];
  }
}

/** The argument by which search is filtered with types. */
export interface TypedFilter {
  readonly type: GraphQLInputObjectType;
  readonly named: readonly NamedContentType[];
}

/** @throws AppError 422 for a type that is not that of the filter */
function withFilter(values: Members, writer: WhereWriter): Members {
  const { type, where } = values;
  const found = isObject(where) ? writer.write(where) : undefined;
  if (found === undefined) return values;
  const { contentTypeApiName } = found;
  if (typeof type === 'string' && type !== contentTypeApiName)
    throw invalidInput({
      path: ['type'],
      code: 'other_type',
      message: `The filter in "where" is of the type ${contentTypeApiName}.`,
    });
  return { ...values, type: contentTypeApiName, where: found.where };
}

/** Search, with a filter of the project's content types in place of JSON; without content types it has none. */
function searchField(type: GraphQLOutputType, filter: TypedFilter | undefined): ReturnType<typeof rootField> {
  const field = rootField('search', type);
  const { where, ...args } = field.args ?? {};
  if (where === undefined || filter === undefined) return { ...field, args };
  const writer = new WhereWriter(filter.named);
  return {
    ...field,
    args: { ...args, where: { ...where, type: filter.type } },
    resolve: (root, values, ...rest) => field.resolve?.(root, withFilter(values, writer), ...rest),
  };
}

const siteRedirects = collectionType(siteRedirectType.name, siteRedirectType, {
  description: 'A page of the active redirects of a site.',
});

const searchHits = searchHitsType();

/** Root fields of every project. @param filter of search, by the content types of the project */
export const systemRootFields = (filter?: TypedFilter): GraphQLFieldConfigMap<unknown, RequestReads> => ({
  [rootFieldName('asset')]: rootField('asset', mediaAssetType),
  [rootFieldName('entry')]: rootField('entry', contentEntryType),
  [rootFieldName('entryBySlug')]: rootField('entryBySlug', contentEntryType),
  [rootFieldName('redirects')]: rootField('redirects', new GraphQLNonNull(siteRedirects)),
  [rootFieldName('resolveRoute')]: rootField('resolveRoute', routeResolutionType),
  [rootFieldName('search')]: searchField(new GraphQLNonNull(searchHits), filter),
  [rootFieldName('suggest')]: rootField(
    'suggest',
    new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(searchCompletionType))),
  ),
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
    searchCompletionType,
    searchHits,
    searchHitType,
    searchSuggestionType,
    siteRedirectType,
    siteRedirects,
    siteTreeNodeType,
  ];
  return `${types.map(printType).join('\n\n')}\n`;
}
