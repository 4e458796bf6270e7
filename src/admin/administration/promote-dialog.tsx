import { useState } from 'react';
import { promotions } from '../../../contracts/deployment/promotions/promotions.contract.js';
import { queryClient, type Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { OperationForm } from '../resources/operation-form.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { notify } from '../ui/toasts.js';
import { optionLabel } from '../resources/labels.js';
import type { Refusal } from '../resources/use-operation.js';
import { DataTable } from '../ui/data-table.js';
import { DifferentValues, type Difference } from './difference-table.js';

type Result = Outputs['promotions']['promote']['data'];
type Promoted = Exclude<Result, { readonly jobId: string }>;
type Conflict = Promoted['conflicts'][number];

const conflictTable = (conflicts: readonly Conflict[]) => (
  <DataTable
    columns={[
      { key: 'item', label: t('promote.item'), cell: ({ name }) => name },
      { key: 'kind', label: t('promote.kind'), cell: ({ kind }) => optionLabel('kind', kind) },
      {
        key: 'values',
        label: t('promote.values'),
        cell: ({ values }) => <DifferentValues values={values} />,
      },
    ]}
    keyOf={({ kind, id }) => `${kind}/${id}`}
    label={t('promote.conflict')}
    rows={conflicts}
  />
);

/** What a promotion did to each item, or would do. */
function PromotionOutcome({ outcome }: { readonly outcome: Promoted }) {
  const { created, updated, deleted } = outcome.summary;
  return (
    <section aria-label={t('promote.outcome')} className="stack">
      <p className="notice" role="status">
        {outcome.status === 'planned' && `${t('promote.planned')} `}
        {t('promote.summary', { created, updated, deleted })}
      </p>
      <DataTable
        columns={[
          { key: 'item', label: t('promote.item'), cell: ({ name }) => name },
          {
            key: 'change',
            label: t('promote.change'),
            cell: ({ change }) => <span className={`badge ${change}`}>{optionLabel('change', change)}</span>,
          },
          { key: 'kind', label: t('promote.kind'), cell: ({ kind }) => optionLabel('kind', kind) },
        ]}
        keyOf={({ kind, id }) => `${kind}/${id}`}
        label={t('promote.outcome')}
        rows={outcome.items}
      />
      {outcome.conflicts.length > 0 && conflictTable(outcome.conflicts)}
    </section>
  );
}

/** The items that both environments changed, of a promotion that was refused for them. */
function PromotionConflicts({ refusal }: { readonly refusal: Refusal }) {
  const { conflicts } = refusal.details as { readonly conflicts?: readonly (Conflict & Difference)[] };
  if (conflicts === undefined || conflicts.length === 0) return null;
  return (
    <div className="stack">
      <p>{t('promote.refused')}</p>
      {conflictTable(conflicts)}
    </div>
  );
}

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
