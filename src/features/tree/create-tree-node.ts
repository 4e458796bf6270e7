import { AppError, invalidInput } from '../../../contracts/errors.js';
import type { tree } from '../../../contracts/management/tree.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { TreeNode } from '../../../contracts/resources/tree-node.js';
import { makeSlug, normalizeSlug } from '../../content/make-slug.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertNodesEditable } from './assert-nodes-editable.js';
import { assertFolderFree, freeFolderSlug } from './folder-slug.js';
import { placeNode } from './place-node.js';
import type { StoredNode } from './stored-node.js';
import { TreeEntryRepository } from './tree-entry.repository.js';
import { authorizeNode } from './tree-rights.js';
import { TreeLockRepository, type TreeId } from './tree-lock.repository.js';
import { presentNode } from './tree-node.presenter.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { assertRoomBelow, assertParent } from './tree.policy.js';

type Input = InputOf<typeof tree.createNode>;

const issue = (key: string, code: string, message: string) => invalidInput({ path: [key], code, message });

function typeOf(input: Input): TreeNode['type'] {
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
async function treeOf(work: UnitOfWork, input: Input): Promise<TreeId> {
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

async function slugForFolder(work: UnitOfWork, input: Input, siteId: TreeId): Promise<string> {
  const group = { siteId, parentId: input.parentId ?? null };
  if (input.slug === undefined) return freeFolderSlug(work, group, makeSlug(input.name ?? ''));
  const slug = normalizeSlug(input.slug);
  await assertFolderFree(work, group, { slug, nodeId: null });
  return slug;
}

async function newNode(work: UnitOfWork, input: Input, siteId: TreeId): Promise<StoredNode> {
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

export async function createTreeNode(work: UnitOfWork, input: Input): Promise<{ data: TreeNode }> {
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
