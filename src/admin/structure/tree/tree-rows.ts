import type { TreeNode } from './tree-data.js';

/** Of one level; more are shown on request. */
export const SHOWN_AT_ONCE = 200;

interface Level {
  readonly nodes: readonly TreeNode[] | undefined;
  readonly error: unknown;
}

/** By the id of the parent; null is the top. */
export type Levels = ReadonlyMap<string | null, Level>;

export interface NodeRow {
  readonly kind: 'node';
  readonly key: string;
  readonly node: TreeNode;
  /** From 1, as screen readers count. */
  readonly depth: number;
  readonly place: number;
  readonly size: number;
  readonly isOpen: boolean;
}

/** Stands below the nodes of a level that are not shown yet, are being read or could not be read. */
export interface RestRow {
  readonly kind: 'more' | 'loading' | 'failed';
  readonly key: string;
  readonly parentId: string | null;
  readonly depth: number;
  readonly error?: unknown;
}

export type TreeRow = NodeRow | RestRow;

/** The selected row, else the first one: one row can always be reached by Tab. */
export function activeRow(rows: readonly TreeRow[], id: string | undefined): NodeRow | undefined {
  const nodes = rows.filter((row): row is NodeRow => row.kind === 'node');
  return nodes.find(({ key }) => key === id) ?? nodes[0];
}

interface Shown {
  readonly levels: Levels;
  /** How many nodes of a level are shown. */
  readonly limits: ReadonlyMap<string | null, number>;
}

export const limitOf = (limits: Shown['limits'], parentId: string | null): number =>
  limits.get(parentId) ?? SHOWN_AT_ONCE;

/** The visible rows from top to bottom. A level is open if it is among the levels. */
export function rowsOf({ levels, limits }: Shown, parentId: string | null = null, depth = 1): TreeRow[] {
  const level = levels.get(parentId);
  if (level === undefined) return [];
  const rest = { parentId, depth, error: level.error };
  const key = `${parentId ?? 'top'}-rest`;
  if (level.nodes === undefined) return [{ ...rest, key, kind: level.error === null ? 'loading' : 'failed' }];
  const size = level.nodes.length;
  const shown = level.nodes.slice(0, limitOf(limits, parentId));
  const rows = shown.flatMap((node, index): TreeRow[] => {
    const isOpen = node.childCount > 0 && levels.has(node.id);
    const own: NodeRow = { kind: 'node', key: node.id, node, depth, place: index + 1, size, isOpen };
    return isOpen ? [own, ...rowsOf({ levels, limits }, node.id, depth + 1)] : [own];
  });
  return shown.length < size ? [...rows, { ...rest, key, kind: 'more' }] : rows;
}
