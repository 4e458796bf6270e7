import type { KeyboardEvent } from 'react';
import type { Direction } from './tree-moves.js';
import type { NodeRow } from './tree-rows.js';

export interface TreeKeys {
  readonly rows: readonly NodeRow[];
  readonly active: NodeRow;
  readonly select: (id: string) => void;
  readonly open: (id: string) => void;
  readonly close: (id: string) => void;
  readonly edit: (row: NodeRow) => void;
  readonly remove: (row: NodeRow) => void;
  readonly step: (row: NodeRow, direction: Direction) => void;
}

const moves: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'in',
};

function goRight({ rows, active, select, open }: TreeKeys): void {
  if (active.node.childCount > 0 && !active.isOpen) open(active.node.id);
  else if (active.isOpen) select(rows[rows.indexOf(active) + 1]?.key ?? active.key);
}

function goLeft({ active, select, close }: TreeKeys): void {
  if (active.isOpen) close(active.node.id);
  else if (active.node.parentId !== null) select(active.node.parentId);
}

/** The keys of a tree as of the ARIA practices; with Alt the arrows move the node. */
export function handleTreeKey(event: KeyboardEvent, keys: TreeKeys): void {
  const { rows, active, select } = keys;
  const index = rows.indexOf(active);
  const direction = moves[event.key];
  const goTo = (row: NodeRow | undefined): void => select(row?.key ?? active.key);
  const actions: Readonly<Record<string, () => void>> = {
    ArrowUp: () => goTo(rows[index - 1]),
    ArrowDown: () => goTo(rows[index + 1]),
    ArrowRight: () => goRight(keys),
    ArrowLeft: () => goLeft(keys),
    Home: () => goTo(rows[0]),
    End: () => goTo(rows.at(-1)),
    Enter: () => keys.edit(active),
    Delete: () => keys.remove(active),
  };
  // Keys of a control inside the row are its own.
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const action = event.altKey ? direction && (() => keys.step(active, direction)) : actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
