import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { FormRefusal } from './node-fields.js';
import { refreshTree, type TreeNode } from './tree-data.js';

interface Props {
  readonly node: TreeNode;
  readonly onClose: () => void;
}

const fates = ['lift', 'delete'] as const;
type Fate = (typeof fates)[number];

/** Entries stay; what happens to the nodes below is chosen. */
export function DeleteNodeDialog({ node, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [children, setChildren] = useState<Fate>('lift');
  const { isBusy, failure, run } = useCall();
  const remove = (): Promise<void> =>
    run(async () => {
      await client.tree.deleteNode.mutate({
        ...{ projectSlug, id: node.id },
        ...(node.childCount > 0 && { children }),
      });
      await refreshTree();
      notify(t('tree.deleted', { name: node.name }));
      onClose();
    });
  return (
    <Dialog onClose={onClose} title={t('tree.delete', { name: node.name })}>
      <p>{t(node.type === 'page' ? 'tree.deletePage' : 'tree.deleteHint')}</p>
      {node.childCount > 0 && (
        <fieldset className="field">
          <legend className="label">{t('tree.below', { count: node.childCount })}</legend>
          {fates.map((fate) => (
            <label className="row tight" key={fate}>
              <input
                checked={fate === children}
                name="children"
                onChange={() => setChildren(fate)}
                type="radio"
                value={fate}
              />
              {t(`tree.children.${fate}`)}
            </label>
          ))}
        </fieldset>
      )}
      <FormRefusal failure={failure} keys={[]} />
      <div className="actions">
        <button className="button" data-focus onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <button className="button danger" disabled={isBusy} onClick={() => void remove()} type="button">
          {t('tree.remove')}
        </button>
      </div>
    </Dialog>
  );
}
