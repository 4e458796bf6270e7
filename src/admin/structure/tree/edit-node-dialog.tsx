import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { FormRefusal, HiddenCheck, messagesAt, TextField } from './node-fields.js';
import { refreshTree, type TreeNode } from './tree-data.js';

interface Props {
  readonly node: TreeNode;
  readonly onClose: () => void;
}

/** Name, path segment, URL and visibility. The path segment of a page is the slug of its entry. */
export function EditNodeDialog({ node, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [name, setName] = useState(node.name);
  const [slug, setSlug] = useState(node.slug ?? '');
  const [url, setUrl] = useState(node.url ?? '');
  const [hideInMenu, setHidden] = useState(node.hideInMenu);
  const { isBusy, failure, run } = useCall();
  const change = {
    // A page without a name shows the title of its entry.
    ...(name !== node.name && { name: name.trim() === '' ? null : name }),
    ...(node.type === 'folder' && slug !== node.slug && { slug }),
    ...(node.type === 'link' && url !== node.url && { url }),
    ...(hideInMenu !== node.hideInMenu && { hideInMenu }),
  };
  const save = (): Promise<void> =>
    run(async () => {
      const { id, version } = node;
      try {
        const { data, meta } = await client.tree.updateNode.mutate({ projectSlug, id, version, ...change });
        const count = meta.redirectsCreated;
        notify(
          t('tree.saved', { name: data.name }) + (count > 0 ? ` ${t('tree.redirects', { count })}` : ''),
        );
      } finally {
        await refreshTree();
      }
      onClose();
    });
  return (
    <Dialog onClose={onClose} title={t('tree.edit', { name: node.name })}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          {...(node.type === 'page' && { hint: 'tree.pageNameHint' as const })}
          isFirst
          label="tree.name"
          messages={messagesAt(failure, 'name')}
          onChange={setName}
          value={name}
        />
        {node.type === 'folder' && (
          <TextField
            hint="tree.movesPaths"
            label="tree.slug"
            messages={messagesAt(failure, 'slug')}
            onChange={setSlug}
            value={slug}
          />
        )}
        {node.type === 'link' && (
          <TextField
            hint="tree.urlHint"
            label="tree.url"
            messages={messagesAt(failure, 'url')}
            onChange={setUrl}
            value={url}
          />
        )}
        <HiddenCheck isHidden={hideInMenu} onChange={setHidden} />
        <FormRefusal failure={failure} keys={['name', 'slug', 'url']} />
        <DialogFooter
          disabled={isBusy || Object.keys(change).length === 0}
          onCancel={onClose}
          run={t('tree.save')}
        />
      </form>
    </Dialog>
  );
}
