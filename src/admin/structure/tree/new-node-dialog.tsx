import { useState } from 'react';
import { client } from '../../api/client.js';
import { typeOf, useProject, type Entry } from '../../api/project-data.js';
import { titleOf } from '../../entries/entry-title.js';
import { EntryPicker } from '../../fields/entry-picker.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { FormRefusal, HiddenCheck, messagesAt, TextField } from './node-fields.js';
import { GLOBAL_TREE, refreshTree, type TreeNode, type TreeView } from './tree-data.js';

const kinds = ['page', 'folder', 'link'] as const;
type Kind = (typeof kinds)[number];

interface Props {
  readonly view: TreeView;
  readonly parent: TreeNode | undefined;
  readonly onClose: () => void;
  readonly onCreated: (node: TreeNode) => void;
}

interface Draft {
  readonly kind: Kind;
  readonly name: string;
  readonly slug: string;
  readonly url: string;
  readonly hideInMenu: boolean;
  readonly entry?: Entry;
}

const start: Draft = { kind: 'page', name: '', slug: '', url: '', hideInMenu: false };

const keysOf: Readonly<Record<Kind, readonly ('entryId' | 'name' | 'slug' | 'url')[]>> = {
  page: ['entryId', 'name'],
  folder: ['name', 'slug'],
  link: ['name', 'url'],
};

function inputOf({ kind, name, slug, url, hideInMenu, entry }: Draft) {
  return {
    type: kind,
    hideInMenu,
    ...(name.trim() !== '' && { name }),
    ...(kind === 'folder' && slug !== '' && { slug }),
    ...(kind === 'link' && { url }),
    ...(kind === 'page' && entry !== undefined && { entryId: entry.id }),
  };
}

function EntryChoice({
  entry,
  onChange,
}: {
  readonly entry: Entry | undefined;
  readonly onChange: (entry: Entry) => void;
}) {
  const project = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const pages = project.types.filter(({ isBlock }) => !isBlock).map(({ apiName }) => apiName);
  return (
    <div aria-label={t('tree.entry')} className="field" role="group">
      <span className="label">{t('tree.entry')}</span>
      <div className="linked">
        <span className="grow clip">
          {entry === undefined ? t('field.none') : titleOf(entry, typeOf(project, entry.contentTypeApiName))}
        </span>
        <button className="button" onClick={() => setIsOpen(true)} type="button">
          {t('field.choose')}
        </button>
      </div>
      <p className="hint">{t('tree.entryHint')}</p>
      {isOpen && (
        <EntryPicker
          onChoice={(chosen) => {
            onChange(chosen);
            setIsOpen(false);
          }}
          onClose={() => setIsOpen(false)}
          types={pages}
        />
      )}
    </div>
  );
}

function KindChoice({ kind, onChange }: { readonly kind: Kind; readonly onChange: (kind: Kind) => void }) {
  return (
    <fieldset className="field">
      <legend className="label">{t('tree.kind')}</legend>
      <div className="row">
        {kinds.map((one) => (
          <label className="row tight" key={one}>
            <input
              checked={one === kind}
              name="kind"
              onChange={() => onChange(one)}
              type="radio"
              value={one}
            />
            {t(`tree.kind.${one}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A page, a folder or a link below a node or at the top of the tree. */
export function NewNodeDialog({ view, parent, onClose, onCreated }: Props) {
  const { slug: projectSlug, sites } = useProject();
  const [draft, setDraft] = useState(start);
  const { isBusy, failure, run } = useCall();
  const { kind, name, slug, url, hideInMenu, entry } = draft;
  const siteId = view.siteSlug === GLOBAL_TREE ? null : sites.find((site) => site.slug === view.siteSlug)?.id;
  const create = (): Promise<void> =>
    run(async () => {
      const place = { projectSlug, siteId, parentId: parent?.id ?? null };
      const { data } = await client.tree.createNode.mutate({ ...place, ...inputOf(draft) });
      onCreated(data);
      await refreshTree();
      notify(t('tree.created', { name: data.name }));
      onClose();
    });
  return (
    <Dialog
      onClose={onClose}
      title={parent === undefined ? t('tree.new') : t('tree.addBelow', { name: parent.name })}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <KindChoice kind={kind} onChange={(next) => setDraft({ ...draft, kind: next })} />
        {kind === 'page' && (
          <EntryChoice entry={entry} onChange={(chosen) => setDraft({ ...draft, entry: chosen })} />
        )}
        <TextField
          {...(kind === 'page' && { hint: 'tree.pageNameHint' as const })}
          isFirst
          label="tree.name"
          messages={messagesAt(failure, 'name')}
          onChange={(next) => setDraft({ ...draft, name: next })}
          value={name}
        />
        {kind === 'folder' && (
          <TextField
            hint="tree.slugHint"
            label="tree.slug"
            messages={messagesAt(failure, 'slug')}
            onChange={(next) => setDraft({ ...draft, slug: next })}
            value={slug}
          />
        )}
        {kind === 'link' && (
          <TextField
            hint="tree.urlHint"
            label="tree.url"
            messages={messagesAt(failure, 'url')}
            onChange={(next) => setDraft({ ...draft, url: next })}
            value={url}
          />
        )}
        <HiddenCheck isHidden={hideInMenu} onChange={(next) => setDraft({ ...draft, hideInMenu: next })} />
        <FormRefusal failure={failure} keys={keysOf[kind].filter((key) => key !== 'entryId')} />
        <DialogFooter
          disabled={isBusy || (kind === 'page' && entry === undefined)}
          onCancel={onClose}
          run={t('tree.create')}
        />
      </form>
    </Dialog>
  );
}
