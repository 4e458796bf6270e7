import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { tree } from '../../../contracts/management/tree.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PathMeta } from '../../../contracts/resources/tree-node.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertNodesEditable } from './assert-nodes-editable.js';
import { lockNode } from './lock-node.js';
import { noteDeleted, noteLifted } from './note-along.js';
import { PathRedirectRepository } from './path-redirect.repository.js';
import { removeNodes } from './place-node.js';
import { RouteRepository } from './route.repository.js';
import { presentNode } from './tree-node.presenter.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { TreeOrderRepository } from './tree-order.repository.js';

/** A node with children requires `children`. */
export async function deleteTreeNode(
  work: UnitOfWork,
  input: InputOf<typeof tree.deleteNode>,
): Promise<{ data: Deleted; meta: PathMeta }> {
  const node = await lockNode(work, input.id, 'delete');
  const nodes = work.use(TreeNodeRepository);
  if (input.children === undefined && (await nodes.hasChildren(node.id)))
    throw new AppError('node_has_children');
  const catalog = await work.use(CatalogRepository).current();
  const was = presentNode(await nodes.read(node.id), catalog);
  const lifted = input.children === 'lift' ? await work.use(TreeOrderRepository).lift(node) : [];
  const below = await nodes.descendants(node.id);
  await assertNodesEditable(work, catalog, [node, ...below]);
  await removeNodes(work, node.siteId, [node, ...below]);
  const changes = await work.use(RouteRepository).refresh(lifted.map(({ after }) => after.id));
  const meta = await work.use(PathRedirectRepository).redirect(changes, input.createRedirects);
  nodes.note({ action: 'tree_node.delete', node, before: { ...was }, after: null });
  noteDeleted({ nodes, emit: work.emit }, below);
  noteLifted({ nodes, emit: work.emit }, lifted);
  work.emit({
    type: 'tree.node_deleted',
    data: { nodeId: node.id, siteId: node.siteId, entryId: node.entryId, children: input.children ?? null },
  });
  return { data: { id: node.id, deleted: true }, meta };
}
