import type { tree } from '../../../contracts/management/tree.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { TreeNode } from '../../../contracts/resources/tree-node.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { presentNode } from './tree-node.presenter.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { authorizeNode } from './tree-rights.js';

export async function getTreeNode(
  work: UnitOfWork,
  input: InputOf<typeof tree.getNode>,
): Promise<{ data: TreeNode }> {
  const nodes = work.use(TreeNodeRepository);
  const { id, siteId } = await nodes.find(input.id);
  await authorizeNode(work, { siteId, nodeId: id }, 'read');
  const catalog = await work.use(CatalogRepository).current();
  return { data: presentNode(await nodes.read(id), catalog) };
}
