import { Link } from '@tanstack/react-router';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { Icon } from '../../ui/icon.js';
import type { TreeNode } from './tree-data.js';

export type NodeTask = 'add' | 'edit' | 'delete';

interface Props {
  readonly node: TreeNode;
  readonly onTask: (task: NodeTask, node: TreeNode) => void;
}

/** What can be done with the selected node. */
export function NodeBar({ node, onTask }: Props) {
  const { slug, environment, may } = useProject();
  const { entryId, name } = node;
  return (
    <div aria-label={t('tree.actions', { name })} className="row tight" role="toolbar">
      {entryId !== null && (
        <Link
          aria-label={t('tree.openEntry', { name })}
          className="button icon plain"
          params={{ project: slug, environment, entry: entryId }}
          search={{ locale: undefined }}
          title={t('tree.openEntry', { name })}
          to="/$project/$environment/entries/$entry"
        >
          <Icon name="entry" />
        </Link>
      )}
      {node.type !== 'link' && may('tree.createNode') && (
        <IconButton icon="add" label={t('tree.addBelow', { name })} onClick={() => onTask('add', node)} />
      )}
      {may('tree.updateNode') && (
        <IconButton icon="edit" label={t('tree.edit', { name })} onClick={() => onTask('edit', node)} />
      )}
      {may('tree.deleteNode') && (
        <IconButton icon="trash" label={t('tree.delete', { name })} onClick={() => onTask('delete', node)} />
      )}
    </div>
  );
}
