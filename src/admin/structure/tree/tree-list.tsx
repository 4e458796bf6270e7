import { useEffect, useRef, useState } from 'react';
import { failureOf } from '../../api/failure.js';
import { t } from '../../texts/index.js';
import type { TreeNode } from './tree-data.js';
import { handleTreeKey } from './tree-keys.js';
import { isWithin, placeAt, stepOf, type Place } from './tree-moves.js';
import type { NodeTask } from './node-bar.js';
import { TreeNodeRow, type RowActions } from './tree-row.js';
import type { NodeRow, RestRow } from './tree-rows.js';
import type { Refusal } from './use-node-moves.js';
import type { Tree } from './use-tree.js';

interface Props {
  readonly label: string;
  readonly tree: Tree;
  readonly locale: string | undefined;
  readonly refusal: Refusal | undefined;
  readonly canMove: boolean;
  readonly active: NodeRow | undefined;
  readonly onSelect: (id: string) => void;
  readonly onMove: (node: TreeNode, place: Place) => void;
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
        ...{ rows, active: row, select: onSelect, open, close },
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
