import { useState } from 'react';
import { client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { CallFailure } from './call-failure.js';
import { PlanView, type ShownStep } from './plan-view.js';

interface Props {
  readonly applyId: string;
  readonly onUndone: () => void;
}

/** Undoes the last apply, as long as nothing has been changed since. */
export function UndoApply({ applyId, onUndone }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, failure, run } = useCall();
  const { steps } = (failure?.details ?? {}) as { readonly steps?: readonly ShownStep[] };
  const undo = async (): Promise<void> => {
    await client.schema.undo.mutate({ projectSlug, applyId });
    notify(t('schema.undone'));
    setIsAsking(false);
    onUndone();
    await queryClient.invalidateQueries();
  };
  if (!may('schema.undo')) return null;
  return (
    <>
      <button className="button" onClick={() => setIsAsking(true)} type="button">
        {t('schema.undo')}
      </button>
      {isAsking && (
        <Dialog isWide onClose={() => setIsAsking(false)} title={t('schema.undoTitle')}>
          <p>{t('schema.undoHint')}</p>
          <CallFailure failure={failure} />
          {steps !== undefined && <PlanView label={t('schema.undoSteps')} steps={steps} />}
          <div className="actions">
            <button className="button" data-focus onClick={() => setIsAsking(false)} type="button">
              {t('app.cancel')}
            </button>
            <button className="button danger" disabled={isBusy} onClick={() => void run(undo)} type="button">
              {t('schema.undoNow')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
