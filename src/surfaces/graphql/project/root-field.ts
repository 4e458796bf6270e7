import type { EntryContent, ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { FoundContent } from '../../../../contracts/publishing/delivery/search-hit.js';
import type { SiteRedirect, SiteTreeNode } from '../../../../contracts/publishing/delivery/route.js';
import type { EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import { type RootVerb, rootContracts, type RootArgument } from '../system/root-contracts.js';
import { GraphQLNonNull, type GraphQLFieldConfig, type GraphQLOutputType } from 'graphql';
import { descriptionOf, inputTypeOf, unwrap } from '../system/zod-type.js';

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
  readonly meta: ReadOrigin & Counts & { readonly facets?: unknown; readonly suggestion?: unknown };
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
  const { total, skip, limit, facets, suggestion } = meta;
  const items = data.flatMap(({ entry: content, ...hit }) => {
    const node = entry({ data: content, meta }, context);
    return node === null ? [] : [{ ...hit, entry: node }];
  });
  return { items, total, skip, limit, facets, suggestion };
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
