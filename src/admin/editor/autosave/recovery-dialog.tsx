import { useId } from 'react';
import type { ContentType } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { ChangeView } from '../../ui/change-view.js';
import { Dialog } from '../../ui/dialog.js';
import { fieldLabel } from '../field-label.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { contentOf } from '../use-entry-state.js';
import { keptChanges } from './kept-drafts.js';
import type { KeptDraftState } from './use-kept-draft.js';

interface Props {
  readonly editor: EntryEditor;
  readonly kept: KeptDraftState;
  readonly type: ContentType;
}

/** What was typed before the page was closed is taken over or dropped. It must be decided before typing goes on. */
export function RecoveryDialog({ editor: { saved }, kept: { found, recover, discard }, type }: Props) {
  const hintId = useId();
  if (found === undefined) return null;
  return (
    <Dialog isWide title={t('recovery.title')}>
      <p id={hintId}>{t('recovery.hint', { time: formatTime(found.at) })}</p>
      {keptChanges(found, contentOf(saved)).map(({ field, from, to, isDisputed }) => (
        <div className="field" key={field}>
          <ChangeView change={{ path: [fieldLabel(type, field)], from, to }} />
          {isDisputed && <p className="problem">{t('recovery.disputed', { version: saved.version })}</p>}
        </div>
      ))}
      <div className="actions">
        <button className="button danger" onClick={discard} type="button">
          {t('recovery.discard')}
        </button>
        <button
          aria-describedby={hintId}
          className="button primary"
          data-focus
          onClick={recover}
          type="button"
        >
          {t('recovery.recover')}
        </button>
      </div>
    </Dialog>
  );
}
