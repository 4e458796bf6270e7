import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Empty, Loaded } from '../../ui/states.js';
import { AuditEventDialog } from './audit-event-dialog.js';
import { AuditFilters } from './audit-filters.js';
import { auditPages, type AuditEvent } from './audit-queries.js';
import type { AuditSearch } from './audit-search.js';
import { AuditTable } from './audit-table.js';
import { VerifyChain } from './verify-chain.js';

interface ResultsProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

function Results({ search, onChange }: ResultsProps) {
  const { slug } = useProject();
  const [opened, setOpened] = useState<AuditEvent>();
  const events = useInfiniteQuery(auditPages(slug, search));
  return (
    <Loaded query={events}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0)
          return (
            <Empty hint={t('audit.emptyHint')} title={t('audit.empty')}>
              <button className="button" onClick={() => onChange({})} type="button">
                {t('list.reset')}
              </button>
            </Empty>
          );
        return (
          <>
            <AuditTable onOpen={setOpened} rows={rows} />
            {events.hasNextPage && (
              <p className="blank">
                <button
                  className="button"
                  disabled={events.isFetchingNextPage}
                  onClick={() => void events.fetchNextPage()}
                  type="button"
                >
                  {t('audit.more')}
                </button>
              </p>
            )}
            {opened !== undefined && (
              <AuditEventDialog
                event={opened}
                onClose={() => setOpened(undefined)}
                onFilter={(filter) => {
                  setOpened(undefined);
                  onChange(filter);
                }}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** Every change of the project, latest first. */
export function AuditScreen() {
  const search = useSearch({ from: '/$project/$environment/audit' });
  const navigate = useNavigate({ from: '/$project/$environment/audit' });
  const change = (next: AuditSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">{t('audit.title')}</h1>
        <VerifyChain />
      </header>
      <AuditFilters onChange={change} search={search} />
      <Results onChange={change} search={search} />
    </>
  );
}
