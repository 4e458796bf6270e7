import { useState } from 'react';
import { promotions } from '../../../contracts/management/promotions.contract.js';
import { queryClient } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { OperationForm } from '../resources/operation-form.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { notify } from '../ui/toasts.js';
import { PromotionConflicts, PromotionOutcome, type Promoted } from './promotion-outcome.js';

interface Item {
  readonly kind: string;
  readonly id: string;
}

interface Props {
  readonly source: string;
  readonly target: string;
  /** Everything if there are none. */
  readonly items: readonly Item[];
  readonly onClose: () => void;
}

const form = { order: ['dryRun', 'conflictStrategy', 'publish', 'includeDependencies', 'comment'] };

/** Asks how to promote, and shows what became of each item. */
export function PromoteDialog({ source, target, items, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [outcome, setOutcome] = useState<Promoted>();
  const what =
    items.length === 0
      ? { mode: 'full', items: undefined }
      : { mode: 'cherryPick', items: items.map(({ kind, id }) => ({ kind, id })) };
  return (
    <Dialog
      isWide
      onClose={onClose}
      title={items.length === 0 ? t('promote.all') : t('promote.some', { count: items.length })}
    >
      {outcome?.status === 'succeeded' ? (
        <>
          <PromotionOutcome outcome={outcome} />
          <div className="actions">
            <button className="button primary" data-focus onClick={onClose} type="button">
              {t('app.close')}
            </button>
          </div>
        </>
      ) : (
        <>
          <p>{t('promote.question', { target })}</p>
          <OperationForm
            afterRefusal={(refusal) => <PromotionConflicts refusal={refusal} />}
            contract={promotions.promote}
            fixed={{ projectSlug, slug: source, target, ...what }}
            form={form}
            onDone={({ data }) => {
              const result = data as Promoted | { readonly jobId: string };
              // Anything may have changed.
              void queryClient.invalidateQueries();
              if ('jobId' in result) {
                notify(t('promote.started'));
                onClose();
                return;
              }
              if (result.status === 'succeeded') notify(t('promote.done', { target }));
              setOutcome(result);
            }}
            operation="promotions.promote"
            submitLabel={t('promote.go')}
          />
          {outcome !== undefined && <PromotionOutcome outcome={outcome} />}
        </>
      )}
    </Dialog>
  );
}
