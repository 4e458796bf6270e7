import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { formatNumber, t } from '../texts/index.js';
import { PageSwitch } from '../ui/page-switch.js';
import { Empty, Loaded } from '../ui/states.js';
import { differenceKey, DifferenceTable, type Difference } from './difference-table.js';
import { PromoteDialog } from './promote-dialog.js';
import { readPromoteSearch, type PromoteSearch } from '../routes/searches.js';
import { PromotionHistory } from './promotion-history.js';

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
