import { useProject, type ContentType, type Entry } from '../api/project-data.js';
import { formatTime, t } from '../texts/index.js';
import { useDiscussion } from './comments/use-discussion.js';
import { ConflictDialog } from './conflict-dialog.js';
import { DiscussionContext } from '../fields/discussion.js';
import { EntryHead } from './entry-head.js';
import { FieldForm, type FieldKey } from './field-form.js';
import { LeaveGuard } from './leave-guard.js';
import { PlaceContext } from './place.js';
import { SidePanel } from './side-panel.js';
import { useEntryEditor } from './use-entry-editor.js';
import { usePanel } from './use-panel.js';
import { useSaveKey } from './use-save-key.js';

interface Props {
  readonly entry: Entry;
  readonly type: ContentType;
}

export function EntryForm({ entry, type }: Props) {
  const project = useProject();
  const editor = useEntryEditor(entry);
  const panel = usePanel();
  const discussion = useDiscussion(editor, type, panel);
  const { saved, draft, problems, conflict } = editor;
  const mayWrite = project.may('entries.update', { locale: saved.locale });
  const mayWriteField = ({ apiName, localized }: FieldKey): boolean =>
    project.may('entries.update', { locale: localized ? saved.locale : null, field: apiName });
  useSaveKey(() => {
    if (mayWrite && editor.isDirty && !editor.isBusy) void editor.save();
  });
  return (
    <PlaceContext value={{ siteId: saved.siteId, locale: saved.locale }}>
      <EntryHead discussion={discussion} editor={editor} panel={panel} type={type} />
      <div className={panel.panel === undefined ? 'editor' : 'editor with-panel'}>
        <div className="editor-form">
          {!mayWrite && <p className="notice">{t('entry.readOnly')}</p>}
          <DiscussionContext value={discussion.ofField}>
            <FieldForm
              draft={draft}
              isReadOnly={!mayWrite}
              mayWriteField={mayWriteField}
              onChange={editor.change}
              problems={problems}
              type={type}
            />
          </DiscussionContext>
          <p className="soft small">
            {t('entry.version', { version: saved.version })} ·{' '}
            {t('entry.updatedBy', { time: formatTime(saved.updatedAt), name: saved.updatedBy.name })}
          </p>
        </div>
        <SidePanel discussion={discussion} editor={editor} state={panel} type={type} />
      </div>
      {conflict !== undefined && <ConflictDialog conflict={conflict} editor={editor} type={type} />}
      <LeaveGuard isDirty={editor.isDirty} />
    </PlaceContext>
  );
}
