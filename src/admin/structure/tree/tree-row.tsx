import { useState, type DragEvent, type KeyboardEvent } from 'react';
import { useProject } from '../../api/project-data.js';
import { StatusBadge } from '../../entries/status-badge.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import type { TreeNode } from './tree-data.js';
import { zoneAt, type Zone } from './use-node-moves.js';
import type { NodeRow } from './tree-rows.js';

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

interface Props {
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

export function TreeNodeRow({ row, isActive, locale, message, actions }: Props) {
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
