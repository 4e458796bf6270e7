import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { localesOf, typeOf, useProject, type ContentType, type Project } from '../api/project-data.js';
import { formatNumber, t } from '../texts/index.js';
import { Empty, Loaded, Loading } from '../ui/states.js';
import { BulkBar } from './bulk-bar.js';
import { chosenColumns, columnFields, keepColumns } from './columns.js';
import { EntryTable } from './entry-table.js';
import { ListFilters } from './list-filters.js';
import { apiFilterOf, listOrders, type ListOrder, type ListSearch } from './list-search.js';
import { useSelection } from './selection.js';
import { useViewedList, type ViewedList } from './views/use-views.js';
import { ViewBar } from './views/view-bar.js';
import { ViewNotice } from './views/view-notice.js';
import { isBroken, isPlain, isSameList, missingIn, searchOf, settingsOf } from './views/view-settings.js';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, client } from '../api/client.js';
import { cursorPages } from '../api/cursor-pages.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';

interface Props {
  readonly type: ContentType | undefined;
  readonly search: ListSearch;
}

/** Of the type of the list, or of one that is chosen. */
function NewEntryMenu({ type, search: { site, locale } }: Props) {
  const { slug, environment, types } = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const link = (apiName: string) =>
    ({
      to: '/$project/$environment/new/$type',
      params: { project: slug, environment, type: apiName },
      search: { site, locale },
    }) as const;
  if (type !== undefined)
    return (
      <Link {...link(type.apiName)} className="button primary">
        <Icon name="add" />
        {t('list.new')}
      </Link>
    );
  return (
    <>
      <button className="button primary" onClick={() => setIsOpen(true)} type="button">
        <Icon name="add" />
        {t('list.new')}
      </button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={t('list.new')}>
          <ul className="choices">
            {types
              .filter(({ isBlock }) => !isBlock)
              .map(({ apiName, name }) => (
                <li key={apiName}>
                  <Link {...link(apiName)} className="choice">
                    <Icon name="entry" />
                    {name}
                  </Link>
                </li>
              ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

const PAGE = 50;

type ListInput = Parameters<typeof client.entries.list.query>[0];

/**
 * The entries of the list, by pages.
 * @param further filters of a view that have no control; the service checked them when the view was saved
 */
function useEntryList(search: ListSearch, further: object) {
  const project = useProject();
  const { type, site, locale, status, q, author, order, where, deleted } = search;
  const input = {
    ...(further as Partial<ListInput>),
    projectSlug: project.slug,
    limit: PAGE,
    locale: locale ?? localesOf(project)[0],
    ...(type !== undefined && { contentTypeApiName: [type] }),
    ...(site !== undefined && { siteId: [site] }),
    ...(status !== undefined && { status: [status] }),
    ...(q !== undefined && { q }),
    ...(author !== undefined && { updatedBy: [author] }),
    ...(deleted !== undefined && { deleted }),
    ...(order !== undefined && { orderBy: order }),
    ...(where !== undefined && { filter: apiFilterOf(where) }),
  };
  const read = (cursor: string) => client.entries.list.query({ ...input, cursor });
  return useInfiniteQuery(cursorPages(api.entries.list.queryKey(input), read));
}

/** Whether the list offers an action on several entries. */
const mayChange = ({ may }: Project): boolean =>
  may('entries.publish') || may('entries.unpublish') || may('entries.transition') || may('entries.delete');

interface ResultsProps {
  readonly list: ViewedList;
  readonly type: ContentType | undefined;
  readonly columns: readonly string[];
  readonly onReset: () => void;
  readonly onOrder: (order: ListOrder) => void;
}

function Results({ list: { search, further }, type, columns, onReset, onOrder }: ResultsProps) {
  const entries = useEntryList(search, further);
  const project = useProject();
  const selection = useSelection(JSON.stringify(search));
  const { status, q, author, site, locale, deleted, view, where } = search;
  const isFiltered = [status, q, author, site, locale, deleted, view, where].some(
    (value) => value !== undefined,
  );
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
              order={search.order}
              onOrder={onOrder}
              onEnd={() => {
                if (!entries.isFetchingNextPage) void entries.fetchNextPage();
              }}
              rows={rows}
              selection={mayChange(project) && deleted === undefined ? selection : undefined}
              type={type}
            />
          </>
        );
      }}
    </Loaded>
  );
}

/** Columns of the address, else those that were chosen in this browser. */
function useColumns(
  search: ListSearch,
  type: ContentType | undefined,
  onChange: (search: ListSearch) => void,
) {
  const [, setEdition] = useState(0);
  if (type === undefined) return { columns: undefined, setColumns: () => undefined };
  const possible = columnFields(type).map(({ apiName }) => apiName);
  return {
    columns: search.columns?.filter((name) => possible.includes(name)) ?? chosenColumns(type),
    setColumns: (columns: readonly string[]): void => {
      if (search.view !== undefined || search.columns !== undefined) return onChange({ ...search, columns });
      keepColumns(type, columns);
      setEdition((edition) => edition + 1);
    },
  };
}

/** The entries of the project, or of one content type, newest changes first unless a view says otherwise. */
export function EntryListScreen() {
  const project = useProject();
  const list = useViewedList(useSearch({ from: '/$project/$environment/' }));
  const navigate = useNavigate({ from: '/$project/$environment' });
  const { search, further, view } = list;
  const type = typeOf(project, search.type ?? '');
  const go = (next: ListSearch): void => void navigate({ search: next, replace: true });
  /** A list equal to its view has the view alone in its address. */
  const change = (next: ListSearch): void => {
    if (isPlain(next)) return go({});
    go(view !== undefined && isSameList(next, searchOf(view)) ? { view: view.id } : next);
  };
  const { columns, setColumns } = useColumns(search, type, change);
  if (list.isPending) return <Loading />;
  const settings = settingsOf(search, columns, further);
  const isRefused = view !== undefined && isBroken(missingIn(settings, project));
  return (
    <div className="list-screen">
      <header className="screen-head row wrap">
        <h1 className="grow clip">{view?.name ?? type?.name ?? t('list.title')}</h1>
        <ViewBar list={list} onChange={go} settings={settings} />
        {project.may('entries.create') && <NewEntryMenu search={search} type={type} />}
      </header>
      <ViewNotice list={list} onLeave={() => go({ ...search, view: undefined })} />
      <ListFilters columns={columns} onChange={change} onColumns={setColumns} search={search} type={type} />
      {isRefused ? (
        <Empty hint={t('views.brokenHint')} title={t('views.broken')} />
      ) : (
        <Results
          list={list}
          type={type}
          columns={columns ?? []}
          onOrder={(order) => change({ ...search, order: order === listOrders[0] ? undefined : order })}
          onReset={() => go({ type: search.type })}
        />
      )}
    </div>
  );
}
