import { formatClock, t } from '../../texts/index.js';
import type { EntryEditor } from '../use-entry-editor.js';
import type { SaveProgress } from '../save-progress.js';
import type { Autosave } from './use-autosave.js';

interface Props {
  readonly editor: EntryEditor;
  readonly autosave: Autosave;
}

type Failed = Extract<SaveProgress, { kind: 'failed' }>;

function problemOf({ failure, attempts }: Failed, isOn: boolean): string {
  if (failure.code === 'version_conflict') return t('autosave.conflict');
  if (!isOn || attempts === 0) return t('autosave.failed', { problem: failure.message });
  return failure.code === 'offline'
    ? t('autosave.offline')
    : t('autosave.retried', { problem: failure.message });
}

function textOf({ editor: { progress, isDirty }, autosave: { isOn } }: Props): string {
  if (progress.kind === 'saving') return t('autosave.saving');
  if (progress.kind === 'saved' && !isDirty) return t('autosave.saved', { time: formatClock(progress.at) });
  if (progress.kind === 'failed' && isDirty) return problemOf(progress, isOn);
  return '';
}

/** A quiet line: what became of the last save. */
export function SaveState(props: Props) {
  const isBad = props.editor.progress.kind === 'failed' && props.editor.isDirty;
  return (
    <span aria-live="polite" className={isBad ? 'small problem' : 'small soft'} role="status">
      {textOf(props)}
    </span>
  );
}
