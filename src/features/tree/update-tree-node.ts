import { invalidInput } from '../../../contracts/errors.js';
import type { tree } from '../../../contracts/management/tree.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PathMeta, TreeNode } from '../../../contracts/resources/tree-node.js';
import { normalizeSlug } from '../../content/make-slug.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertFolderFree } from './folder-slug.js';
import { lockNode } from './lock-node.js';
import { PathRedirectRepository } from './path-redirect.repository.js';
import { RouteRepository } from './route.repository.js';
import type { StoredNode } from './stored-node.js';
import { presentNode } from './tree-node.presenter.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { assertNodeVersion } from './tree.policy.js';

type Input = InputOf<typeof tree.updateNode>;

function givenValues(input: Input) {
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
  input: Input,
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
