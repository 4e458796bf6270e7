import { useBlocker } from '@tanstack/react-router';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';

/** Asks before unsaved changes are left, also when the tab is closed. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
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
        <button className="button danger" onClick={proceed} type="button">
          {t('entry.leave')}
        </button>
      </div>
    </Dialog>
  );
}
