import type { TreeNode } from './tree-data.js';
import type { Levels } from './tree-rows.js';

export type Direction = 'up' | 'down' | 'in' | 'out';

/** Where a node is dropped on another one. */
export type Zone = 'before' | 'after' | 'inside';

/** The new place of a node, as `tree.moveNode` has it. */
export interface Place {
  readonly parentId: string | null;
  readonly beforeId?: string;
  readonly afterId?: string;
}

const siblingsOf = (levels: Levels, { parentId }: TreeNode): readonly TreeNode[] =>
  levels.get(parentId)?.nodes ?? [];

const findNode = (levels: Levels, id: string | null): TreeNode | undefined =>
  [...levels.values()].flatMap(({ nodes = [] }) => nodes).find((node) => node.id === id);

/** Undefined where the node cannot move that way. */
export function stepOf(levels: Levels, node: TreeNode, direction: Direction): Place | undefined {
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

export function placeAt({ id, parentId }: TreeNode, zone: Zone): Place {
  if (zone === 'inside') return { parentId: id };
  return zone === 'before' ? { parentId, beforeId: id } : { parentId, afterId: id };
}

/** Whether a node would become its own descendant, as far as the levels that are read say. */
export function isWithin(levels: Levels, id: string | null, ancestorId: string): boolean {
  if (id === null) return false;
  return id === ancestorId || isWithin(levels, findNode(levels, id)?.parentId ?? null, ancestorId);
}
