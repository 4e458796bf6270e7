import { useState } from 'react';
import { useProject, type ContentType } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import type { Autosave } from '../autosave/use-autosave.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { UnpublishDialog } from '../publish-button.js';
import { DeleteDialog } from './delete-dialog.js';
import { DuplicateDialog } from './duplicate-dialog.js';

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
  const [dialog, setDialog] = useState<'duplicate' | 'delete' | 'unpublish'>();
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
      {dialog === 'unpublish' && <UnpublishDialog editor={editor} onClose={close} type={type} />}
      {dialog === 'delete' && (
        <DeleteDialog editor={editor} onClose={close} onDeleted={onDeleted} type={type} />
      )}
    </>
  );
}
