import { useBlocker } from '@tanstack/react-router';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';

interface Props {
  readonly isDirty: boolean;
  /** Saves what is left; true if nothing is. */
  readonly onLeave?: () => Promise<boolean>;
  readonly onDiscard?: () => void;
}

/** Asks before unsaved changes are left, also when the tab is closed. */
export function LeaveGuard({ isDirty, onLeave, onDiscard }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async () => isDirty && (await onLeave?.()) !== true,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog onClose={reset} title={t('entry.leaveTitle')}>
      <p>{t('entry.leaveHint')}</p>
      <div className="actions">
        <button data-focus className="button primary" onClick={reset} type="button">
          {t('entry.stay')}
        </button>
        <button
          className="button danger"
          onClick={() => {
            onDiscard?.();
            proceed();
          }}
          type="button"
        >
          {t('entry.leave')}
        </button>
      </div>
    </Dialog>
  );
}
