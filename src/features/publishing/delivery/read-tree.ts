import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SiteTreeNode } from '../../../../contracts/publishing/delivery/route.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { normalizeRoutePath, publicPath, splitPublicPath } from '../../../content/route-path.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { publicPaths } from './entry-paths.js';
import { localesOf } from './locale-chains.js';
import type { TreeQuery, TreeRow } from './tree-source.js';

type Input = InputOf<typeof deliveryReads.getTree>;

const titlesOf = (catalog: Catalog): Record<string, string> =>
  Object.fromEntries(
    catalog.data.contentTypes.flatMap((type) => {
      const field = titleFieldOf(type);
      return field === null ? [] : [[type.id, field] as const];
    }),
  );

/** Undefined if no node can be at the path. */
function startOf(
  site: SiteDefinition,
  { root, locale }: Input,
): { start: TreeQuery['start']; locale: string | undefined } | undefined {
  if (root === undefined) return { start: { at: 'top', value: null }, locale };
  if (!root.startsWith('/')) return { start: { at: 'node', value: root.toLowerCase() }, locale };
  const path = normalizeRoutePath(root);
  if (path === undefined) return undefined;
  const at = splitPublicPath(site, path, locale);
  return { start: { at: 'path', value: at.path }, locale: at.locale };
}

/** A node whose page, if it is one, may be shown. */
interface ShownNode extends TreeRow {
  readonly publicPath: string | null;
}

/** Pages of a preview with what their drafts say, without those that cannot be read. */
async function draftNodes(
  { catalog, source, routes }: DeliveryRead,
  rows: readonly TreeRow[],
  locales: readonly string[],
): Promise<ShownNode[]> {
  const found = await source.byIds(
    rows.flatMap(({ entryId }) => entryId ?? []),
    locales,
  );
  const paths = await publicPaths(
    { catalog, routes, isPreview: true },
    found.map(({ id, siteId, locale }) => ({ id, siteId, locale, requested: locales[0] ?? '' })),
  );
  const titles = titlesOf(catalog);
  const pages = new Map(
    found.map(({ id, slug, contentTypeId, fields }, index) => {
      const title = fields[titles[contentTypeId] ?? ''];
      const own = { entrySlug: slug, title: typeof title === 'string' ? title : null, contentTypeId };
      return [id, { ...own, publicPath: paths[index] ?? null }];
    }),
  );
  return rows.flatMap((row): ShownNode[] => {
    if (row.entryId === null) return [{ ...row, publicPath: null }];
    const page = pages.get(row.entryId);
    return page === undefined ? [] : [{ ...row, ...page }];
  });
}

function present(node: ShownNode, catalog: Catalog): SiteTreeNode {
  const { id, type, entryId, contentTypeId, url } = node;
  const slug = entryId === null ? node.slug : node.entrySlug;
  return {
    id,
    type,
    name: node.name ?? node.title ?? slug ?? id,
    slug,
    path: type === 'link' ? url : node.publicPath,
    entryId,
    contentTypeApiName: (contentTypeId && catalog.contentTypeById(contentTypeId)?.apiName) ?? null,
    children: [],
  };
}

/** Nests nodes in the order of their ranks; what is below a missing node is left out. */
function nest(
  nodes: readonly ShownNode[],
  catalog: Catalog,
  isTop: (node: ShownNode) => boolean,
): SiteTreeNode[] {
  const sorted = [...nodes].sort((a, b) => (BigInt(a.rank) < BigInt(b.rank) ? -1 : 1));
  const presented = new Map(sorted.map((node) => [node.id, present(node, catalog)]));
  const top: SiteTreeNode[] = [];
  for (const node of sorted) {
    const siblings = isTop(node) ? top : presented.get(node.parentId ?? '')?.children;
    const own = presented.get(node.id);
    if (own !== undefined) siblings?.push(own);
  }
  return top;
}

/**
 * Reads the published part of a site's tree; undefined if `root` names no published node.
 * @throws AppError 404 `site_not_found`, `locale_not_found`; 422 `limit_reached`
 */
async function findTree(read: DeliveryRead, input: Input): Promise<SiteTreeNode[] | undefined> {
  const { catalog, source, trace } = read;
  const site = siteOf(read, input.siteSlug);
  const from = startOf(site, input);
  const locales = localesOf(catalog, site, from === undefined ? input.locale : from.locale);
  if (from === undefined) return undefined;
  const limit = limits.siteTreeNodes;
  const { isPreview } = source;
  const query = { siteId: site.id, locales, start: from.start, levels: input.depth, isMenu: input.menu };
  const rows = await read.tree.tree({ ...query, limit: limit + 1, titles: titlesOf(catalog) }, isPreview);
  if (rows.length > limit)
    throw new AppError(
      'limit_reached',
      { limit },
      'The tree is too large for one response. Request less depth.',
    );
  const publicForm = (path: string | null) => path && publicPath(site, locales[0] ?? '', path);
  const nodes = isPreview
    ? await draftNodes(read, rows, locales)
    : rows.map((row) => ({ ...row, publicPath: publicForm(row.path) }));
  trace.addDocuments(
    nodes.flatMap(({ entryId, contentTypeId }) =>
      entryId === null || contentTypeId === null ? [] : [{ id: entryId, contentTypeId, siteId: site.id }],
    ),
    catalog,
  );
  const ids = new Set(rows.map(({ id }) => id));
  const tree = nest(nodes, catalog, ({ parentId }) => parentId === null || !ids.has(parentId));
  return tree.length === 0 && from.start.at !== 'top' ? undefined : tree;
}

/** @throws AppError 404 `tree_node_not_found`, and those of {@link findTree} */
export async function getDeliveryTree(read: DeliveryRead, input: Input): Promise<{ data: SiteTreeNode[] }> {
  const data = await findTree(read, input);
  if (data === undefined) throw new AppError('tree_node_not_found');
  return { data };
}

/** Null if `root` names no published node. */
export async function readTree(
  read: DeliveryRead,
  input: InputOf<typeof graphqlReads.tree>,
): Promise<{ data: SiteTreeNode[] | null }> {
  return { data: (await findTree(read, input)) ?? null };
}
