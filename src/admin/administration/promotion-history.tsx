import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { promotions } from '../../../contracts/deployment/promotions/promotions.contract.js';
import { api, queryClient, type Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { ActionDialog } from '../resources/action-dialog.js';
import { optionLabel } from '../resources/labels.js';
import { formatTime, t } from '../texts/index.js';
import { DataTable } from '../ui/data-table.js';
import { PageSwitch } from '../ui/page-switch.js';
import { Loaded } from '../ui/states.js';

type Promotion = Outputs['promotions']['list']['data'][number];

const RUNNING_MILLISECONDS = 10_000;
const isRunning = ({ status }: Promotion): boolean => status === 'running' || status === 'rolling_back';

function Status({ promotion: { status, progress, error } }: { readonly promotion: Promotion }) {
  return (
    <span className="row">
      <span className={`badge ${status}`}>{optionLabel('status', status)}</span>
      {progress !== null && <span className="soft small">{t('environments.progress', { ...progress })}</span>}
      {error !== null && <span className="problem">{error.message}</span>}
    </span>
  );
}

interface TableProps {
  readonly target: string;
  readonly rows: readonly Promotion[];
  readonly onRollback: (promotion: Promotion) => void;
}

function HistoryTable({ target, rows, onRollback }: TableProps) {
  const { may } = useProject();
  return (
    <DataTable
      columns={[
        { key: 'time', label: t('key.createdAt'), cell: ({ createdAt }) => formatTime(createdAt) },
        { key: 'status', label: t('key.status'), cell: (one) => <Status promotion={one} /> },
        { key: 'source', label: t('key.source'), isWide: true, cell: ({ source }) => source },
        {
          key: 'summary',
          label: t('key.summary'),
          isWide: true,
          cell: ({ summary }) => (summary === null ? '–' : t('promote.summary', { ...summary })),
        },
        { key: 'by', label: t('key.createdBy'), isWide: true, cell: ({ createdBy }) => createdBy.name },
        { key: 'comment', label: t('key.comment'), isWide: true, cell: ({ comment }) => comment ?? '–' },
        {
          key: 'rollback',
          label: t('promote.rollback'),
          cell: (one) =>
            one.rollbackAvailable &&
            may('promotions.rollback') && (
              <button className="button" onClick={() => onRollback(one)} type="button">
                {t('promote.rollback')}
              </button>
            ),
        },
      ]}
      keyOf={({ promotionId }) => promotionId}
      label={t('promote.history', { target })}
      rows={rows}
    />
  );
}

/** What was promoted into an environment, with the way back. */
export function PromotionHistory({ target }: { readonly target: string }) {
  const { slug: projectSlug } = useProject();
  const [page, setPage] = useState(1);
  const [undone, setUndone] = useState<Promotion>();
  const list = useQuery({
    ...api.promotions.list.queryOptions({ projectSlug, slug: target, page }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(isRunning) === true ? RUNNING_MILLISECONDS : false,
  });
  return (
    <section aria-label={t('promote.history', { target })}>
      <div className="screen-head">
        <h2>{t('promote.history', { target })}</h2>
      </div>
      <Loaded query={list}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft screen-hint">{t('promote.noHistory')}</p>
          ) : (
            <>
              <HistoryTable onRollback={setUndone} rows={data} target={target} />
              {meta.pages > 1 && (
                <PageSwitch onPage={setPage} page={page} pages={meta.pages} total={meta.total} />
              )}
            </>
          )
        }
      </Loaded>
      {undone !== undefined && (
        <ActionDialog
          action={{
            verb: 'rollback',
            label: 'promote.rollback',
            question: 'promote.rollbackQuestion',
            done: 'promote.rolledBack',
            isDangerous: true,
          }}
          contract={promotions.rollback}
          fixed={{ projectSlug, slug: target, promotionId: undone.promotionId }}
          name={undone.source}
          onClose={() => setUndone(undefined)}
          onDone={() => {
            setUndone(undefined);
            // Anything may have changed.
            void queryClient.invalidateQueries();
          }}
          operation="promotions.rollback"
        />
      )}
    </section>
  );
}
