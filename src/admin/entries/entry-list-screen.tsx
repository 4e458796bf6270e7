import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client } from '../api/client.js';
import { cursorPages } from '../api/cursor-pages.js';
import { localesOf, typeOf, useProject, type ContentType, type Project } from '../api/project-data.js';
import { formatNumber, t } from '../texts/index.js';
import { Empty, Loaded } from '../ui/states.js';
import { BulkBar } from './bulk-bar.js';
import { chosenColumns } from './columns.js';
import { EntryTable } from './entry-table.js';
import { ListFilters } from './list-filters.js';
import type { ListSearch } from './list-search.js';
import { NewEntryMenu } from './new-entry-menu.js';
import { useSelection } from './selection.js';

const PAGE = 50;

function useEntries(search: ListSearch) {
  const project = useProject();
  const { type, site, locale, status, q } = search;
  const input = {
    projectSlug: project.slug,
    limit: PAGE,
    locale: locale ?? localesOf(project)[0],
    ...(type !== undefined && { contentTypeApiName: [type] }),
    ...(site !== undefined && { siteId: [site] }),
    ...(status !== undefined && { status: [status] }),
    ...(q !== undefined && { q }),
  };
  const read = (cursor: string) => client.entries.list.query({ ...input, cursor });
  return useInfiniteQuery(cursorPages(api.entries.list.queryKey(input), read));
}

/** Whether the list offers an action on several entries. */
const mayChange = ({ may }: Project): boolean =>
  may('entries.publish') || may('entries.unpublish') || may('entries.delete');

interface ResultsProps {
  readonly search: ListSearch;
  readonly type: ContentType | undefined;
  readonly columns: readonly string[];
  readonly onReset: () => void;
}

function Results({ search, type, columns, onReset }: ResultsProps) {
  const entries = useEntries(search);
  const project = useProject();
  const selection = useSelection(JSON.stringify(search));
  const { status, q, site, locale } = search;
  const isFiltered = [status, q, site, locale].some((value) => value !== undefined);
  return (
    <Loaded query={entries}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0)
          return isFiltered ? (
            <Empty hint={t('list.noMatchHint')} title={t('list.noMatch')}>
              <button className="button" onClick={onReset} type="button">
                {t('list.reset')}
              </button>
            </Empty>
          ) : (
            <Empty hint={t('list.emptyHint')} title={t('list.empty')} />
          );
        return (
          <>
            <BulkBar locale={locale ?? localesOf(project)[0]} rows={rows} selection={selection} />
            <p aria-live="polite" className="soft small list-total">
              {t('list.total', { total: formatNumber(pages[0]?.meta.total ?? rows.length) })}
            </p>
            <EntryTable
              columns={columns}
              hasMore={entries.hasNextPage}
              locale={search.locale}
              onEnd={() => {
                if (!entries.isFetchingNextPage) void entries.fetchNextPage();
              }}
              rows={rows}
              selection={mayChange(project) ? selection : undefined}
              type={type}
            />
          </>
        );
      }}
    </Loaded>
  );
}

/** The entries of the project, or of one content type, newest changes first. */
export function EntryListScreen() {
  const project = useProject();
  const search = useSearch({ from: '/$project/$environment/' });
  const navigate = useNavigate({ from: '/$project/$environment' });
  const type = typeOf(project, search.type ?? '');
  const [columnEdition, setColumnEdition] = useState(0);
  const change = (next: ListSearch): void => void navigate({ search: next, replace: true });
  return (
    <div className="list-screen">
      <header className="screen-head row">
        <h1 className="grow clip">{type?.name ?? t('list.title')}</h1>
        {project.may('entries.create') && <NewEntryMenu search={search} type={type} />}
      </header>
      <ListFilters
        onChange={change}
        onColumns={() => setColumnEdition(columnEdition + 1)}
        search={search}
        type={type}
      />
      <Results
        columns={type === undefined ? [] : chosenColumns(type)}
        onReset={() => change({ type: search.type })}
        search={search}
        type={type}
      />
    </div>
  );
}
