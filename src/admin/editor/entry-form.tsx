import { useState } from 'react';
import { useProject, type ContentType, type Entry } from '../api/project-data.js';
import { formatTime, t } from '../texts/index.js';
import { ConflictDialog } from './conflict-dialog.js';
import { EntryHead, type Panel } from './entry-head.js';
import { FieldForm, type FieldKey } from './field-form.js';
import { LeaveGuard } from './leave-guard.js';
import { PlaceContext } from './place.js';
import { PublicationPanel } from './publication-panel.js';
import { useEntryEditor } from './use-entry-editor.js';
import { useSaveKey } from './use-save-key.js';
import { VersionPanel } from './version-panel.js';

interface Props {
  readonly entry: Entry;
  readonly type: ContentType;
}

export function EntryForm({ entry, type }: Props) {
  const project = useProject();
  const editor = useEntryEditor(entry);
  const [panel, setPanel] = useState<Panel>();
  const close = (): void => setPanel(undefined);
  const { saved, draft, problems, conflict } = editor;
  const mayWrite = project.may('entries.update', { locale: saved.locale });
  const mayWriteField = ({ apiName, localized }: FieldKey): boolean =>
    project.may('entries.update', { locale: localized ? saved.locale : null, field: apiName });
  useSaveKey(() => {
    if (mayWrite && editor.isDirty && !editor.isBusy) void editor.save();
  });
  return (
    <PlaceContext value={{ siteId: saved.siteId, locale: saved.locale }}>
      <EntryHead
        editor={editor}
        onPanel={(next) => setPanel(next === panel ? undefined : next)}
        panel={panel}
        type={type}
      />
      <div className={panel === undefined ? 'editor' : 'editor with-panel'}>
        <div className="editor-form">
          {!mayWrite && <p className="notice">{t('entry.readOnly')}</p>}
          <FieldForm
            draft={draft}
            isReadOnly={!mayWrite}
            mayWriteField={mayWriteField}
            onChange={editor.change}
            problems={problems}
            type={type}
          />
          <p className="soft small">
            {t('entry.version', { version: saved.version })} ·{' '}
            {t('entry.updatedBy', { time: formatTime(saved.updatedAt), name: saved.updatedBy.name })}
          </p>
        </div>
        {panel === 'versions' && <VersionPanel editor={editor} onClose={close} type={type} />}
        {panel === 'publication' && <PublicationPanel editor={editor} onClose={close} />}
      </div>
      {conflict !== undefined && <ConflictDialog conflict={conflict} editor={editor} type={type} />}
      <LeaveGuard isDirty={editor.isDirty} />
    </PlaceContext>
  );
}
