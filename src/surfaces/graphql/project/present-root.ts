import type { EntryContent, ReadOrigin } from '../../../../contracts/resources/content-entry.js';
import type { FoundContent } from '../../../../contracts/resources/search-hit.js';
import type { SiteRedirect } from '../../../../contracts/resources/site-redirect.js';
import type { SiteTreeNode } from '../../../../contracts/resources/site-tree-node.js';
import type { EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import type { RootVerb } from '../system/root-contracts.js';

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
  readonly meta: ReadOrigin & Counts & { readonly facets?: unknown };
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
  const { total, skip, limit, facets } = meta;
  const items = data.flatMap(({ entry: content, ...hit }) => {
    const node = entry({ data: content, meta }, context);
    return node === null ? [] : [{ ...hit, entry: node }];
  });
  return { items, total, skip, limit, facets };
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
export const presentRoot = {
  entry,
  entryBySlug: entry,
  collection,
  asset,
  resolveRoute: route,
  tree,
  search,
  redirects,
} satisfies Record<RootVerb, (result: never, context: RequestReads) => unknown>;
