import { invalidInput } from '../../../contracts/errors.js';
import type { tree } from '../../../contracts/management/tree.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PathMeta, TreeNode } from '../../../contracts/resources/tree-node.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertNodesEditable } from './assert-nodes-editable.js';
import { lockNode } from './lock-node.js';
import { PathRedirectRepository } from './path-redirect.repository.js';
import { relocateNode } from './place-node.js';
import { presentNode } from './tree-node.presenter.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { TreeOrderRepository } from './tree-order.repository.js';
import { authorizeMove } from './tree-rights.js';
import { assertRoomBelow, assertNodeVersion, assertParent } from './tree.policy.js';

type Input = InputOf<typeof tree.moveNode>;

/** At most one position, not relative to the node itself. */
function assertPosition({ id, position, beforeId, afterId }: Input): void {
  const given = Object.entries({ position, beforeId, afterId }).filter(([, value]) => value !== undefined);
  const [, [extra] = []] = given;
  if (extra !== undefined) {
    const message = 'Send only one of position, beforeId and afterId.';
    throw invalidInput({ path: [extra], code: 'ambiguous_place', message });
  }
  const itself = given.find(
    ([, value]) => typeof value === 'string' && value.toLowerCase() === id.toLowerCase(),
  );
  if (itself !== undefined)
    throw invalidInput({
      path: [itself[0]],
      code: 'not_a_sibling',
      message: 'A node cannot be moved beside itself.',
    });
}

/** Moves a node with its descendants. A no-op if it is already there. */
export async function moveTreeNode(
  work: UnitOfWork,
  input: Input,
): Promise<{ data: TreeNode; meta: PathMeta }> {
  assertPosition(input);
  const before = await lockNode(work, input.id, 'update');
  assertNodeVersion(before, input.version);
  const catalog = await work.use(CatalogRepository).current();
  await assertNodesEditable(work, catalog, [before]);
  const nodes = work.use(TreeNodeRepository);
  const parent = input.parentId === null ? null : await nodes.find(input.parentId, 'parentId');
  if (parent !== null) assertParent(parent, before.siteId, 'parentId');
  const parentId = parent?.id ?? null;
  const isSameParent = parentId === before.parentId;
  const { siteId, entryId } = before;
  if (!isSameParent) await authorizeMove(work, { siteId, nodeId: before.id, entryId, parentId });
  if (!isSameParent) await assertRoomBelow(work, before.id, parentId);
  const was = presentNode(await nodes.read(before.id), catalog);
  if (isSameParent && (await work.use(TreeOrderRepository).isAt(before, input)))
    return { data: was, meta: { affected: 0, redirectsCreated: 0 } };
  const { after, changes } = await relocateNode(work, { before, parentId }, input);
  const meta = await work.use(PathRedirectRepository).redirect(changes, input.createRedirects);
  const data = presentNode(await nodes.read(after.id), catalog);
  nodes.note({ action: 'tree_node.move', node: after, before: { ...was }, after: { ...data } });
  work.emit({
    type: 'tree.node_moved',
    data: { nodeId: data.id, siteId: data.siteId, entryId: data.entryId, path: data.path, ...meta },
  });
  return { data, meta };
}
