import { useState } from 'react';
import { failureOf, type Failure } from '../api/failure.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { titleOf } from '../entries/entry-title.js';
import { IssueText, useMessageOf } from '../fields/issue-text.js';
import { localeName, t } from '../texts/index.js';
import { Dialog, DialogFooter } from '../ui/dialog.js';
import { Refusal } from './actions/delete-dialog.js';
import { BrokenLinks, PublicationPlan } from './actions/reference-list.js';
import { idIn } from '../api/issue-words.js';
import type { EntryEditor } from './use-entry-editor.js';

interface Props {
  readonly editor: EntryEditor;
}

interface BehindProps extends Props {
  /** What the check found about entries that readers would not see. */
  readonly messages: readonly string[];
  readonly onClose: () => void;
}

/** Asks whether entries that are not published go along, because readers would miss them. */
function BehindDialog({ editor, messages, onClose }: BehindProps) {
  const publish = (along: boolean) => () => {
    onClose();
    void editor.publish(along);
  };
  return (
    <Dialog onClose={onClose} title={t('publish.behindTitle')}>
      <p>{t('publish.behindHint', { locale: localeName(editor.saved.locale) })}</p>
      <ul>
        {messages.map((message) => (
          <li key={message}>
            <IssueText text={message} />
          </li>
        ))}
      </ul>
      <PublicationPlan id={editor.saved.id} locale={editor.saved.locale} />
      <DialogFooter isFocused onCancel={onClose} onRun={publish(true)} run={t('publish.along')}>
        <button className="button" onClick={publish(false)} type="button">
          {t('publish.alone')}
        </button>
      </DialogFooter>
    </Dialog>
  );
}

/** Publishes a draft that passes the check, after a question if it refers to what is not published. */
export function PublishButton({ editor }: Props) {
  const [behind, setBehind] = useState<readonly string[]>([]);
  const { saved, isBusy, isDirty } = editor;
  const messageOf = useMessageOf();
  const start = async (): Promise<void> => {
    const found = await editor.check();
    if (found?.isPublishable !== true) return;
    const missing = found.warnings.filter(({ code }) => code === 'not_published').map(messageOf);
    if (missing.length === 0) return editor.publish(false);
    // An entry that several fields name is listed once.
    setBehind([...new Map(missing.map((message) => [idIn(message), message])).values()]);
  };
  return (
    <>
      <button
        className="button primary"
        disabled={isBusy || (saved.status === 'published' && !isDirty)}
        onClick={() => void start()}
        type="button"
      >
        {t('entry.publish')}
      </button>
      {behind.length > 0 && <BehindDialog editor={editor} messages={behind} onClose={() => setBehind([])} />}
    </>
  );
}

interface UnpublishProps extends Props {
  readonly type: ContentType;
  readonly onClose: () => void;
}

/** Says what disappears for readers before it does. */
export function UnpublishDialog({ editor, type, onClose }: UnpublishProps) {
  const { may } = useProject();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { saved } = editor;
  const names = { title: titleOf(saved, type), locale: localeName(saved.locale) };
  const unpublish = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await editor.unpublish(may('entries.publish', { locale: saved.locale }));
      onClose();
    } catch (error) {
      setFailure(failureOf(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog onClose={onClose} title={t('unpublish.title', names)}>
      <p>{t('unpublish.hint', names)}</p>
      <BrokenLinks id={saved.id} locale={saved.locale} />
      {failure !== undefined && <Refusal failure={failure} />}
      <DialogFooter
        disabled={isBusy}
        isDangerous
        onCancel={onClose}
        onRun={unpublish}
        run={t('unpublish.run')}
      />
    </Dialog>
  );
}
