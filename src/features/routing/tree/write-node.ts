import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { numberedSlug, makeSlug, normalizeSlug } from '../../../content/slug-field.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ReservedPathRepository } from './reserved-path.repository.js';
import { RouteRepository } from './route.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import type { SiblingGroup } from './tree-order.repository.js';
import type { tree } from '../../../../contracts/routing/tree/tree.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TreeNode, PathMeta } from '../../../../contracts/routing/tree/tree-node.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  assertNodesEditable,
  authorizeNode,
  assertRoomBelow,
  assertParent,
  assertNodeVersion,
} from './tree.policy.js';
import { placeNode } from './place-node.js';
import { type StoredNode, presentNode } from './stored-node.js';
import { TreeEntryRepository } from './tree-entry.repository.js';
import { TreeLockRepository, type TreeId } from './tree-lock.repository.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { lockNode } from './nodes.js';
import { PathRedirectRepository } from './node-path.repository.js';

/** Numbered slugs checked per statement. */
const CANDIDATES = 50;

async function takenSlugs(
  work: UnitOfWork,
  { siteId, parentId }: SiblingGroup,
  { slugs, nodeId }: { slugs: readonly string[]; nodeId: string | null },
): Promise<Set<string>> {
  if (siteId !== null) {
    const place = { siteId, parentId, locale: null, entryId: null, nodeId };
    return work.use(RouteRepository).takenSegments(place, slugs);
  }
  const nodes = work.use(TreeNodeRepository);
  const found = new Set<string>();
  for (const slug of slugs) if (await nodes.hasFolder(parentId, slug, nodeId)) found.add(slug);
  return found;
}

/** @throws AppError 409 `slug_conflict`, `slug_reserved` */
async function assertFolderFree(
  work: UnitOfWork,
  group: SiblingGroup,
  { slug, nodeId }: { slug: string; nodeId: string | null },
): Promise<void> {
  if ((await takenSlugs(work, group, { slugs: [slug], nodeId })).size === 0) return;
  const { siteId, parentId } = group;
  if (siteId === null) throw new AppError('slug_conflict', { slug });
  throw await work.use(ReservedPathRepository).refusal({ siteId, parentId, locale: null }, slug);
}

/** The generated slug or the first free `slug-2`, `slug-3`, … */
async function freeFolderSlug(work: UnitOfWork, group: SiblingGroup, made: string | null): Promise<string> {
  const slug = made ?? 'folder';
  const candidates = Array.from({ length: CANDIDATES }, (_, index) =>
    index === 0 ? slug : numberedSlug(slug, index + 1),
  );
  const known = await takenSlugs(work, group, { slugs: candidates, nodeId: null });
  return candidates.find((candidate) => !known.has(candidate)) ?? numberedSlug(slug, work.newId());
}

type CreateTreeNodeInput = InputOf<typeof tree.createNode>;

const issue = (key: string, code: string, message: string) => invalidInput({ path: [key], code, message });

function typeOf(input: CreateTreeNodeInput): TreeNode['type'] {
  const { entryId, url, slug, name } = input;
  const hasEntry = typeof entryId === 'string';
  const hasUrl = typeof url === 'string';
  const type = input.type ?? (hasEntry ? 'page' : hasUrl ? 'link' : 'folder');
  if (hasEntry !== (type === 'page')) {
    throw issue(
      'entryId',
      hasEntry ? 'not_allowed' : 'required',
      'A page requires an entry. Other nodes have none.',
    );
  }
  if (hasUrl && type !== 'link') throw issue('url', 'not_allowed', 'Only a link has an address.');
  if (slug !== undefined && type !== 'folder') {
    throw issue('slug', 'not_allowed', 'Only a folder has its own slug. A page uses the slug of its entry.');
  }
  const isNameless = typeof name !== 'string';
  if (isNameless && (type === 'link' || (type === 'folder' && slug === undefined)))
    throw issue('name', 'required', 'A folder requires a name or a slug. A link requires a name.');
  return type;
}

/** The site's tree, else the parent's, the entry's or the global one. */
async function treeOf(work: UnitOfWork, input: CreateTreeNodeInput): Promise<TreeId> {
  const { siteId, parentId, entryId } = input;
  const parent =
    typeof parentId === 'string' ? await work.use(TreeNodeRepository).find(parentId, 'parentId') : undefined;
  const entry = typeof entryId === 'string' ? await work.use(TreeEntryRepository).find(entryId) : undefined;
  if (siteId === null) return null;
  if (siteId === undefined) return parent === undefined ? (entry?.siteId ?? null) : parent.siteId;
  const catalog = await work.use(CatalogRepository).current();
  const site = catalog.site(siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  return site.id;
}

/** Locks the entry. It must belong to the tree's site and to no tree yet. */
async function assertPlaceable(work: UnitOfWork, entryId: string, siteId: TreeId): Promise<void> {
  const entries = work.use(TreeEntryRepository);
  const entry = await entries.lock(entryId);
  if (siteId !== null && entry.siteId !== siteId) {
    throw issue('entryId', 'other_site', 'The entry belongs to another site.');
  }
  const places = await entries.places([entry.id]);
  if (places.size > 0) throw new AppError('entry_in_tree', { path: ['entryId'] });
}

async function slugForFolder(work: UnitOfWork, input: CreateTreeNodeInput, siteId: TreeId): Promise<string> {
  const group = { siteId, parentId: input.parentId ?? null };
  if (input.slug === undefined) {
    const catalog = await work.use(CatalogRepository).current();
    const locale = siteId === null ? undefined : catalog.site(siteId)?.defaultLocale;
    return freeFolderSlug(work, group, makeSlug(input.name ?? '', locale));
  }
  const slug = normalizeSlug(input.slug);
  await assertFolderFree(work, group, { slug, nodeId: null });
  return slug;
}

async function newNode(work: UnitOfWork, input: CreateTreeNodeInput, siteId: TreeId): Promise<StoredNode> {
  const type = typeOf(input);
  const slug = type === 'folder' ? await slugForFolder(work, input, siteId) : null;
  return {
    id: work.newId(),
    siteId,
    parentId: input.parentId?.toLowerCase() ?? null,
    entryId: input.entryId?.toLowerCase() ?? null,
    type,
    name: input.name ?? slug,
    slug,
    url: input.url ?? null,
    hideInMenu: input.hideInMenu ?? false,
    version: 1,
    createdAt: work.now,
    updatedAt: work.now,
  };
}

export async function createTreeNode(
  work: UnitOfWork,
  input: CreateTreeNodeInput,
): Promise<{ data: TreeNode }> {
  typeOf(input);
  const siteId = await treeOf(work, input);
  await authorizeNode(work, { siteId, nodeId: input.parentId?.toLowerCase() ?? null }, 'create');
  await work.use(TreeLockRepository).lock([siteId], 'exclusive');
  const nodes = work.use(TreeNodeRepository);
  if (typeof input.parentId === 'string') {
    assertParent(await nodes.find(input.parentId, 'parentId'), siteId, 'parentId');
    await assertRoomBelow(work, null, input.parentId);
  }
  const catalog = await work.use(CatalogRepository).current();
  if (typeof input.entryId === 'string') {
    await assertPlaceable(work, input.entryId, siteId);
    await assertNodesEditable(work, catalog, [{ entryId: input.entryId }]);
  }
  const node = await newNode(work, input, siteId);
  await placeNode(work, node, { position: input.position });
  const data = presentNode(await nodes.read(node.id), catalog);
  nodes.note({ action: 'tree_node.create', node, before: null, after: { ...data } });
  work.emit({
    type: 'tree.node_created',
    data: { nodeId: data.id, siteId, entryId: data.entryId, path: data.path },
  });
  return { data };
}

type UpdateTreeNodeInput = InputOf<typeof tree.updateNode>;

function givenValues(input: UpdateTreeNodeInput) {
  const { projectSlug: _project, id: _id, version: _version, createRedirects: _redirects, ...keys } = input;
  const given = definedKeys(keys);
  return given.slug === undefined ? given : { ...given, slug: normalizeSlug(given.slug) };
}

type Changes = ReturnType<typeof givenValues>;

/** Without values that the node already shows, such as the title of its entry. */
const changesOf = (given: Changes, shown: TreeNode): Changes =>
  Object.fromEntries(Object.entries(given).filter(([key, value]) => value !== shown[key as keyof Changes]));

/** @throws AppError 422 for a key this type does not have */
function assertAllowedKeys({ type }: StoredNode, changes: Changes): void {
  const refuse = (key: string, message: string) =>
    invalidInput({ path: [key], code: 'not_allowed', message });
  if (changes.slug !== undefined && type !== 'folder')
    throw refuse('slug', 'Only a folder has its own slug. A page uses the slug of its entry.');
  if (changes.url !== undefined && type !== 'link') throw refuse('url', 'Only a link has an address.');
  if (changes.name === null && type !== 'page') throw refuse('name', 'Only a page may have no name.');
}

/** Equal values change nothing. */
export async function updateTreeNode(
  work: UnitOfWork,
  input: UpdateTreeNodeInput,
): Promise<{ data: TreeNode; meta: PathMeta }> {
  const given = givenValues(input);
  const before = await lockNode(work, input.id, 'update');
  assertNodeVersion(before, input.version);
  const nodes = work.use(TreeNodeRepository);
  const catalog = await work.use(CatalogRepository).current();
  const was = presentNode(await nodes.read(before.id), catalog);
  const changes = changesOf(given, was);
  assertAllowedKeys(before, changes);
  if (!hasChanges(before, changes)) return { data: was, meta: { affected: 0, redirectsCreated: 0 } };
  const after: StoredNode = { ...before, ...changes, version: before.version + 1, updatedAt: work.now };
  const isRenamed = after.slug !== before.slug;
  if (isRenamed && after.slug !== null)
    await assertFolderFree(work, before, { slug: after.slug, nodeId: before.id });
  await nodes.save(after);
  const moved = isRenamed && after.siteId !== null ? await work.use(RouteRepository).refresh([after.id]) : [];
  const meta = await work.use(PathRedirectRepository).redirect(moved, input.createRedirects);
  const data = presentNode(await nodes.read(after.id), catalog);
  nodes.note({ action: 'tree_node.update', node: after, before: { ...was }, after: { ...data } });
  work.emit({
    type: 'tree.node_updated',
    data: { nodeId: data.id, siteId: data.siteId, entryId: data.entryId, path: data.path },
  });
  return { data, meta };
}
