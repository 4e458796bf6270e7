import { useEffect, useRef, useState, type KeyboardEvent, type DragEvent } from 'react';
import { failureOf } from '../../api/failure.js';
import { t } from '../../texts/index.js';
import type { TreeNode } from './tree-data.js';
import {
  isWithin,
  placeAt,
  stepOf,
  type NodePosition,
  type Direction,
  type Refusal,
  type Tree,
  zoneAt,
  type Zone,
} from './use-node-moves.js';
import type { NodeTask } from './node-bar.js';
import type { NodeRow, RestRow } from './tree-rows.js';
import { useProject } from '../../api/project-data.js';
import { StatusBadge } from '../../entries/status-badge.js';
import { Icon } from '../../ui/icon.js';

export interface RowActions {
  readonly select: (id: string) => void;
  readonly toggle: (row: NodeRow) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onDragStart: (node: TreeNode) => void;
  readonly onDragEnd: () => void;
  /** Whether what is dragged may be dropped there. */
  readonly accepts: (node: TreeNode) => boolean;
  readonly onDrop: (node: TreeNode, zone: Zone) => void;
}

interface RowProps {
  readonly row: NodeRow;
  readonly isActive: boolean;
  readonly locale: string | undefined;
  readonly message: string | undefined;
  readonly actions: RowActions;
}

const icons = { page: 'entry', folder: 'type', link: 'open' } as const;

const shareOf = (event: DragEvent<HTMLElement>): number => {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  return (event.clientY - top) / height;
};

/** What is known of a node beside its name. */
function Facts({ node, locale }: { readonly node: TreeNode; readonly locale: string | undefined }) {
  const path = node.url ?? node.path[locale ?? ''] ?? Object.values(node.path)[0];
  return (
    <>
      {path !== undefined && <span className="wide-only code soft clip node-path">{path}</span>}
      {node.hideInMenu && <span className="badge wide-only">{t('tree.hidden')}</span>}
      {node.entryStatus !== null && <StatusBadge status={node.entryStatus} />}
    </>
  );
}

function TreeNodeRow({ row, isActive, locale, message, actions }: RowProps) {
  const { may } = useProject();
  const [zone, setZone] = useState<Zone>();
  const { node, depth, isOpen } = row;
  const canMove = may('tree.moveNode');
  return (
    <div
      aria-expanded={node.childCount > 0 ? isOpen : undefined}
      aria-level={depth}
      aria-posinset={row.place}
      aria-selected={isActive}
      aria-setsize={row.size}
      className={zone === undefined ? 'tree-row' : `tree-row drop-${zone}`}
      draggable={canMove}
      id={`node-${node.id}`}
      onClick={() => actions.select(node.id)}
      onDragEnd={actions.onDragEnd}
      onDragLeave={() => setZone(undefined)}
      onDragOver={(event) => {
        if (!actions.accepts(node)) return;
        event.preventDefault();
        setZone(zoneAt(shareOf(event), node));
      }}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', node.name);
        event.dataTransfer.effectAllowed = 'move';
        actions.onDragStart(node);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setZone(undefined);
        actions.onDrop(node, zoneAt(shareOf(event), node));
      }}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !isActive) actions.select(node.id);
      }}
      onKeyDown={actions.onKey}
      role="treeitem"
      style={{ paddingInlineStart: `${8 + (depth - 1) * 20}px` }}
      tabIndex={isActive ? 0 : -1}
    >
      <span
        aria-hidden="true"
        className={node.childCount > 0 ? 'tree-toggle' : 'tree-toggle none'}
        onClick={() => actions.toggle(row)}
      >
        <Icon name="right" />
      </span>
      <Icon name={icons[node.type]} />
      <span className="clip node-name">{node.name}</span>
      <Facts locale={locale} node={node} />
      {message !== undefined && (
        <p className="problem tree-problem" role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

interface TreeKeys {
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
function handleTreeKey(event: KeyboardEvent, keys: TreeKeys): void {
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

interface Props {
  readonly label: string;
  readonly tree: Tree;
  readonly locale: string | undefined;
  readonly refusal: Refusal | undefined;
  readonly canMove: boolean;
  readonly active: NodeRow | undefined;
  readonly onSelect: (id: string) => void;
  readonly onMove: (node: TreeNode, place: NodePosition) => void;
  readonly onTask: (task: NodeTask, node: TreeNode) => void;
}

function Rest({ row, tree }: { readonly row: RestRow; readonly tree: Tree }) {
  const { kind, parentId, depth } = row;
  const act = (): void => (kind === 'more' ? tree.showMore(parentId) : tree.retry(parentId));
  return (
    <div
      aria-level={depth}
      className="tree-row soft"
      role="treeitem"
      style={{ paddingInlineStart: `${36 + (depth - 1) * 20}px` }}
    >
      {kind === 'loading' ? (
        t('app.loading')
      ) : (
        <>
          {kind === 'failed' && <span className="problem">{failureOf(row.error).message}</span>}
          <button className="button" onClick={act} type="button">
            {t(kind === 'more' ? 'tree.more' : 'app.retry')}
          </button>
        </>
      )}
    </div>
  );
}

/** The focus follows the active row, also when a move has put the row elsewhere. */
function useFocus(activeId: string | undefined, rows: readonly NodeRow[]) {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!hadFocus.current || activeId === undefined) return;
    const row = document.getElementById(`node-${activeId}`);
    if (row === null || row.contains(document.activeElement)) return;
    row.focus();
  }, [activeId, rows]);
  return (isInside: boolean): void => {
    hadFocus.current = isInside;
  };
}

export function TreeList(props: Props) {
  const { tree, locale, refusal, canMove, active, onSelect, onMove, onTask } = props;
  const [dragged, setDragged] = useState<TreeNode>();
  const rows = tree.rows.filter((row): row is NodeRow => row.kind === 'node');
  const note = useFocus(active?.key, rows);
  const { open, close } = tree;
  const actionsOf = (row: NodeRow): RowActions => ({
    select: onSelect,
    toggle: ({ node, isOpen }) => (isOpen ? close(node.id) : open(node.id)),
    onKey: (event) =>
      handleTreeKey(event, {
        rows,
        active: row,
        select: onSelect,
        open,
        close,
        edit: ({ node }) => onTask('edit', node),
        remove: ({ node }) => onTask('delete', node),
        step: ({ node }, direction) => {
          const place = canMove ? stepOf(tree.levels, node, direction) : undefined;
          if (place !== undefined) onMove(node, place);
        },
      }),
    onDragStart: setDragged,
    onDragEnd: () => setDragged(undefined),
    accepts: ({ id }) => dragged !== undefined && !isWithin(tree.levels, id, dragged.id),
    onDrop: (node, zone) => {
      if (dragged !== undefined) onMove(dragged, placeAt(node, zone));
      setDragged(undefined);
    },
  });
  return (
    <div
      aria-label={props.label}
      className="tree"
      onBlur={(event) => {
        // Without another element the row was moved, not left.
        if (event.relatedTarget !== null) note(event.currentTarget.contains(event.relatedTarget));
      }}
      onFocus={() => note(true)}
      role="tree"
    >
      {tree.rows.map((row) =>
        row.kind === 'node' ? (
          <TreeNodeRow
            actions={actionsOf(row)}
            isActive={row.key === active?.key}
            key={row.key}
            locale={locale}
            message={refusal?.nodeId === row.key ? refusal.message : undefined}
            row={row}
          />
        ) : (
          <Rest key={row.key} row={row} tree={tree} />
        ),
      )}
    </div>
  );
}
