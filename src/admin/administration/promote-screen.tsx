import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, queryClient, type Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { formatNumber, t, formatTime } from '../texts/index.js';
import { PageSwitch } from '../ui/page-switch.js';
import { Empty, Loaded } from '../ui/states.js';
import { differenceKey, DifferenceTable, type Difference } from './difference-table.js';
import { PromoteDialog } from './promote-dialog.js';
import { readPromoteSearch, type PromoteSearch } from '../routes/searches.js';
import { promotions } from '../../../contracts/deployment/promotions/promotions.contract.js';
import { ActionDialog } from '../resources/action-dialog.js';
import { optionLabel } from '../resources/labels.js';
import { DataTable } from '../ui/data-table.js';

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

interface Pair {
  readonly source: string;
  readonly target: string;
}

interface PairProps {
  readonly pair: Partial<Pair>;
  readonly onChange: (search: PromoteSearch) => void;
}

function PairChoice({ pair, onChange }: PairProps) {
  const { environments } = useProject();
  const { source, target } = pair;
  return (
    <div className="filters row">
      {(['source', 'target'] as const).map((side) => (
        <label className="row tight" key={side}>
          {t(`promote.${side}`)}
          <select
            className="select compact"
            onChange={({ target: select }) => onChange({ source, target, [side]: select.value })}
            value={pair[side] ?? ''}
          >
            <option disabled value="">
              –
            </option>
            {environments.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button className="button" onClick={() => onChange({ source: target, target: source })} type="button">
        {t('promote.swap')}
      </button>
    </div>
  );
}

interface DifferencesProps extends Pair {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Differences({ source, target, page, onPage }: DifferencesProps) {
  const { slug: projectSlug, may } = useProject();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Difference>>(new Map());
  const [promoted, setPromoted] = useState<readonly Difference[]>();
  const input = { projectSlug, slug: source, target, page, limit: 50 };
  const diff = useQuery(api.promotions.diff.queryOptions(input));
  const choose = (row: Difference, isChosen: boolean): void => {
    const next = new Map(chosen);
    if (isChosen) next.set(differenceKey(row), row);
    else next.delete(differenceKey(row));
    setChosen(next);
  };
  return (
    <>
      <Loaded query={diff}>
        {({ data, meta: { counts, pages, total } }) => {
          if (total === 0) return <Empty hint={t('promote.noneHint')} title={t('promote.none')} />;
          const { created, updated, deleted, conflicts } = counts;
          const toPromote = created + updated + deleted;
          return (
            <>
              <div className="screen-part row">
                <span className="soft grow">
                  {t('promote.counts', {
                    created: formatNumber(created),
                    updated: formatNumber(updated),
                    deleted: formatNumber(deleted),
                    conflicts: formatNumber(conflicts),
                  })}
                </span>
                {may('promotions.promote') && (
                  <>
                    <button
                      className="button"
                      disabled={chosen.size === 0}
                      onClick={() => setPromoted([...chosen.values()])}
                      type="button"
                    >
                      {t('promote.some', { count: chosen.size })}
                    </button>
                    <button
                      className="button primary"
                      disabled={toPromote === 0}
                      onClick={() => setPromoted([])}
                      type="button"
                    >
                      {t('promote.all')}
                    </button>
                  </>
                )}
              </div>
              <DifferenceTable
                chosen={new Set(chosen.keys())}
                label={t('promote.title')}
                onChoice={choose}
                rows={data}
                source={source}
                target={target}
              />
              {pages > 1 && <PageSwitch onPage={onPage} page={page} pages={pages} total={total} />}
            </>
          );
        }}
      </Loaded>
      {promoted !== undefined && (
        <PromoteDialog
          items={promoted}
          onClose={() => {
            setPromoted(undefined);
            setChosen(new Map());
          }}
          source={source}
          target={target}
        />
      )}
    </>
  );
}

/** What differs between two environments, and carrying it over. */
export function PromoteScreen() {
  const { environments } = useProject();
  const navigate = useNavigate();
  const search = readPromoteSearch(useSearch({ strict: false }));
  const branch = environments.find(({ baseEnvironment }) => baseEnvironment !== null);
  const source = search.source ?? branch?.slug;
  const target =
    search.target ?? environments.find(({ slug }) => slug === source)?.baseEnvironment ?? undefined;
  const onChange = (next: PromoteSearch): void =>
    void navigate({ to: '.', search: next as never, replace: true });
  return (
    <>
      <header className="screen-head">
        <h1>{t('promote.title')}</h1>
      </header>
      <PairChoice onChange={onChange} pair={{ ...(source && { source }), ...(target && { target }) }} />
      {source === undefined || target === undefined || source === target ? (
        <Empty title={t('promote.choosePair')} />
      ) : (
        <Differences
          key={`${source}/${target}`}
          onPage={(page) => onChange({ source, target, page })}
          page={search.page ?? 1}
          source={source}
          target={target}
        />
      )}
      {target !== undefined && <PromotionHistory key={target} target={target} />}
    </>
  );
}
