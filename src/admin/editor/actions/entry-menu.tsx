import { Suspense, useState } from 'react';
import { useProject, type ContentType, projectQuery } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import type { Autosave } from '../autosave/use-autosave.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { useNavigate } from '@tanstack/react-router';
import { limits } from '../../../../contracts/limits.js';
import { api, client, queryClient } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { notify } from '../../ui/toasts.js';

const DeleteDialog = lazyPart(() => import('./delete-dialog.js'), 'DeleteDialog');
const UnpublishDialog = lazyPart(() => import('./delete-dialog.js'), 'UnpublishDialog');
const AddEntryDialog = lazyPart(() => import('../../planning/releases/add-to-release.js'), 'AddEntryDialog');

interface DuplicateDialogProps {
  readonly editor: EntryEditor;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}

/** Creates a draft with the same content in every locale and opens it. */
function DuplicateDialog({ editor, mayWrite, onClose }: DuplicateDialogProps) {
  const project = useProject();
  const navigate = useNavigate();
  const { isBusy, failure, run } = useCall();
  const [titleSuffix, setTitleSuffix] = useState(` ${t('duplicate.suffix')}`);
  const [deep, setDeep] = useState(false);
  const { saved, isDirty } = editor;
  const copy = () =>
    client.entries.duplicate.mutate({ projectSlug: project.slug, id: saved.id, titleSuffix, deep });
  const duplicate = (): Promise<void> =>
    run(async () => {
      const { data } = await (mayWrite ? editor.afterSave(copy) : copy());
      notify(t('duplicate.done'));
      void queryClient.invalidateQueries({ queryKey: api.entries.list.pathKey() });
      void queryClient.invalidateQueries(projectQuery(project.slug, project.environment));
      onClose();
      await navigate({
        to: '/$project/$environment/entries/$entry',
        params: { project: project.slug, environment: project.environment, entry: data.id },
        search: { locale: saved.locale },
      });
    });
  return (
    <Dialog onClose={onClose} title={t('duplicate.title')}>
      <label className="field">
        <span className="label">{t('duplicate.suffixLabel')}</span>
        <input
          className="input"
          data-focus
          maxLength={limits.titleSuffixLength}
          onChange={({ target }) => setTitleSuffix(target.value)}
          value={titleSuffix}
        />
      </label>
      <label className="row tight">
        <input checked={deep} onChange={({ target }) => setDeep(target.checked)} type="checkbox" />
        {t('duplicate.deep')}
      </label>
      {isDirty && mayWrite && <p className="hint">{t('duplicate.unsaved')}</p>}
      <DialogFooter
        disabled={isBusy}
        onCancel={onClose}
        onRun={duplicate}
        refusal={failure?.problem}
        run={t('duplicate.run')}
      />
    </Dialog>
  );
}

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly autosave: Autosave;
  readonly onUses: () => void;
  /** The entry is deleted: nothing of it is kept. */
  readonly onDeleted: () => void;
}

/** What is done with the entry as a whole. */
export function EntryMenu({ editor, type, autosave, onUses, onDeleted }: Props) {
  const { may } = useProject();
  const [dialog, setDialog] = useState<'duplicate' | 'delete' | 'unpublish' | 'release'>();
  const close = (): void => setDialog(undefined);
  const { locale, locales } = editor.saved;
  const isLive = locales.some((one) => one.locale === locale && one.status !== 'draft');
  const mayWrite = may('entries.update', { locale: editor.saved.locale });
  const items: readonly (MenuItem & { readonly isOffered: boolean })[] = [
    {
      key: 'autosave',
      label: t('autosave.label'),
      isChecked: autosave.isOn,
      isOffered: mayWrite,
      onSelect: () => autosave.switchTo(!autosave.isOn),
    },
    {
      key: 'uses',
      label: t('entry.uses'),
      isOffered: may('entries.listReferences'),
      onSelect: onUses,
    },
    {
      key: 'duplicate',
      label: t('duplicate.open'),
      isOffered: may('entries.duplicate') && !type.isSingleton,
      onSelect: () => setDialog('duplicate'),
    },
    {
      key: 'release',
      label: t('releases.add'),
      isOffered: may('releases.addItems'),
      onSelect: () => setDialog('release'),
    },
    {
      key: 'unpublish',
      label: t('unpublish.open'),
      isOffered: isLive && may('entries.unpublish', { locale }),
      onSelect: () => setDialog('unpublish'),
    },
    {
      key: 'delete',
      label: t('delete.open'),
      isOffered: may('entries.delete'),
      onSelect: () => setDialog('delete'),
    },
  ];
  return (
    <>
      <Menu items={items.filter(({ isOffered }) => isOffered)} label={t('entry.more')} />
      {dialog === 'duplicate' && <DuplicateDialog editor={editor} mayWrite={mayWrite} onClose={close} />}
      <Suspense>
        {dialog === 'unpublish' && <UnpublishDialog editor={editor} onClose={close} type={type} />}
        {dialog === 'release' && <AddEntryDialog editor={editor} onClose={close} type={type} />}
        {dialog === 'delete' && (
          <DeleteDialog editor={editor} onClose={close} onDeleted={onDeleted} type={type} />
        )}
      </Suspense>
    </>
  );
}
