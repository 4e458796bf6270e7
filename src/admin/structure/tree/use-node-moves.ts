import { useState } from 'react';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import { refreshTree, type TreeNode, levelQuery, type TreeView } from './tree-data.js';
import { useQueries } from '@tanstack/react-query';
import { limitOf, rowsOf, SHOWN_AT_ONCE, type Levels, type TreeRow } from './tree-rows.js';

export type Direction = 'up' | 'down' | 'in' | 'out';

/** Where a node is dropped on another one. */
export type Zone = 'before' | 'after' | 'inside';

/** The new place of a node, as `tree.moveNode` has it. */
export interface NodePosition {
  readonly parentId: string | null;
  readonly beforeId?: string;
  readonly afterId?: string;
}

const siblingsOf = (levels: Levels, { parentId }: TreeNode): readonly TreeNode[] =>
  levels.get(parentId)?.nodes ?? [];

const findNode = (levels: Levels, id: string | null): TreeNode | undefined =>
  [...levels.values()].flatMap(({ nodes = [] }) => nodes).find((node) => node.id === id);

/** Undefined where the node cannot move that way. */
export function stepOf(levels: Levels, node: TreeNode, direction: Direction): NodePosition | undefined {
  const siblings = siblingsOf(levels, node);
  const index = siblings.findIndex(({ id }) => id === node.id);
  const { parentId } = node;
  const previous = siblings[index - 1];
  switch (direction) {
    case 'up':
      return previous && { parentId, beforeId: previous.id };
    case 'down': {
      const next = siblings[index + 1];
      return next && { parentId, afterId: next.id };
    }
    case 'in':
      return previous === undefined || previous.type === 'link' ? undefined : { parentId: previous.id };
    case 'out': {
      const parent = findNode(levels, parentId);
      return parent && { parentId: parent.parentId, afterId: parent.id };
    }
  }
}

/** Upper quarter, lower quarter, middle. Links have nothing below them. */
export function zoneAt(share: number, { type }: TreeNode): Zone {
  const edge = type === 'link' ? 0.5 : 0.25;
  if (share < edge) return 'before';
  return share >= 1 - edge ? 'after' : 'inside';
}

export function placeAt({ id, parentId }: TreeNode, zone: Zone): NodePosition {
  if (zone === 'inside') return { parentId: id };
  return zone === 'before' ? { parentId, beforeId: id } : { parentId, afterId: id };
}

/** Whether a node would become its own descendant, as far as the levels that are read say. */
export function isWithin(levels: Levels, id: string | null, ancestorId: string): boolean {
  if (id === null) return false;
  return id === ancestorId || isWithin(levels, findNode(levels, id)?.parentId ?? null, ancestorId);
}

export interface Tree {
  readonly levels: Levels;
  readonly rows: readonly TreeRow[];
  readonly open: (id: string) => void;
  readonly close: (id: string) => void;
  readonly showMore: (parentId: string | null) => void;
  readonly retry: (parentId: string | null) => void;
}

/** The opened levels of a tree; each is read when it is opened. */
export function useTree(view: TreeView): Tree {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [limits, setLimits] = useState<ReadonlyMap<string | null, number>>(new Map());
  const parents = [null, ...opened];
  const queries = useQueries({ queries: parents.map((parentId) => levelQuery(view, parentId)) });
  const levels: Levels = new Map(
    parents.map((parentId, index) => {
      const nodes: readonly TreeNode[] | undefined = queries[index]?.data;
      return [parentId, { nodes, error: queries[index]?.error ?? null }];
    }),
  );
  return {
    levels,
    rows: rowsOf({ levels, limits }),
    open: (id) => setOpened((ids) => (ids.includes(id) ? ids : [...ids, id])),
    close: (id) => setOpened((ids) => ids.filter((one) => one !== id)),
    showMore: (parentId) =>
      setLimits(new Map(limits).set(parentId, limitOf(limits, parentId) + SHOWN_AT_ONCE)),
    retry: (parentId) => void queries[parents.indexOf(parentId)]?.refetch(),
  };
}

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
  readonly move: (node: TreeNode, place: NodePosition) => Promise<void>;
}

/** Moves nodes one after another; each outcome is announced. */
export function useNodeMoves(projectSlug: string, onMoved: (node: TreeNode) => void): Moves {
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setIsBusy] = useState(false);
  const move = async (node: TreeNode, place: NodePosition): Promise<void> => {
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
