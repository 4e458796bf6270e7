import { useId } from 'react';
import { useProject, type ContentType } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { ChangeView } from '../../ui/change-view.js';
import { Dialog } from '../../ui/dialog.js';
import { contentText } from '../block-text.js';
import { pathText } from '../path-text.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { contentOf } from '../use-entry-state.js';
import { keptChanges } from './kept-changes.js';
import type { KeptDraftState } from './use-kept-draft.js';

interface Props {
  readonly editor: EntryEditor;
  readonly kept: KeptDraftState;
  readonly type: ContentType;
}

/** What was typed before the page was closed is taken over or dropped. It must be decided before typing goes on. */
export function RecoveryDialog({ editor: { saved }, kept: { found, recover, discard }, type }: Props) {
  const hintId = useId();
  const project = useProject();
  if (found === undefined) return null;
  return (
    <Dialog isWide title={t('recovery.title')}>
      <p id={hintId}>{t('recovery.hint', { time: formatTime(found.at) })}</p>
      {keptChanges(found, contentOf(saved)).map(({ path, from, to, isDisputed }) => (
        <div className="field" key={path}>
          <ChangeView
            change={{
              path: [pathText({ project, type, known: [found.fields, saved.fields] }, path)],
              from,
              to,
            }}
            text={(value, other) => contentText(project, value, other)}
          />
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
