import { useState } from 'react';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import { refreshTree, type TreeNode } from './tree-data.js';
import type { Place } from './tree-moves.js';

/** Why the service did not move a node, shown at the node. */
export interface Refusal {
  readonly nodeId: string;
  readonly message: string;
}

const reasonOf = (error: unknown): string => {
  const { code, problem } = failureOf(error);
  if (code === 'version_conflict') return t('tree.conflict');
  if (code === 'slug_conflict') return t('tree.slugTaken');
  return problem;
};

interface Moves {
  readonly refusal: Refusal | undefined;
  readonly isBusy: boolean;
  readonly move: (node: TreeNode, place: Place) => Promise<void>;
}

/** Moves nodes one after another; each outcome is announced. */
export function useNodeMoves(projectSlug: string, onMoved: (node: TreeNode) => void): Moves {
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setIsBusy] = useState(false);
  const move = async (node: TreeNode, place: Place): Promise<void> => {
    if (isBusy) return;
    const { id, version } = node;
    setIsBusy(true);
    setRefusal(undefined);
    try {
      const { data, meta } = await client.tree.moveNode.mutate({ projectSlug, id, version, ...place });
      onMoved(data);
      await refreshTree();
      const said = { name: data.name, place: data.position + 1, depth: data.depth + 1 };
      const redirects = meta.redirectsCreated;
      notify(t('tree.moved', said) + (redirects > 0 ? ` ${t('tree.redirects', { count: redirects })}` : ''));
    } catch (error) {
      setRefusal({ nodeId: id, message: reasonOf(error) });
      await refreshTree();
    } finally {
      setIsBusy(false);
    }
  };
  return { refusal, isBusy, move };
}
