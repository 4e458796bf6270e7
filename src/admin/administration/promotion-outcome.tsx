import type { Outputs } from '../api/client.js';
import { optionLabel } from '../resources/labels.js';
import type { Refusal } from '../resources/use-operation.js';
import { t } from '../texts/index.js';
import { DataTable } from '../ui/data-table.js';
import { DifferentValues, type Difference } from './difference-table.js';

type Result = Outputs['promotions']['promote']['data'];
export type Promoted = Exclude<Result, { readonly jobId: string }>;
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
export function PromotionOutcome({ outcome }: { readonly outcome: Promoted }) {
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
export function PromotionConflicts({ refusal }: { readonly refusal: Refusal }) {
  const { conflicts } = refusal.details as { readonly conflicts?: readonly (Conflict & Difference)[] };
  if (conflicts === undefined || conflicts.length === 0) return null;
  return (
    <div className="stack">
      <p>{t('promote.refused')}</p>
      {conflictTable(conflicts)}
    </div>
  );
}
