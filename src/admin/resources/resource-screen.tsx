import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { OperationName } from '../../../contracts/index.js';
import { useProject } from '../api/project-data.js';
import { formatNumber, t } from '../texts/index.js';
import { DataTable, type Column } from '../ui/data-table.js';
import { PageSwitch } from '../ui/page-switch.js';
import { Empty, Loaded } from '../ui/states.js';
import { cellOf } from './cell.js';
import { inputOf, type Contract } from './contract.js';
import type { Values } from './form-input.js';
import { ItemDialog, keyOf } from './item-dialog.js';
import { labelOf, optionLabel } from './labels.js';
import type { ResourceConfig, FilterOption } from './resource-config.js';
import { readResourceSearch, type ResourceSearch } from './resource-search.js';
import { useResourceList, ordersOf } from './use-resource-list.js';
import { Choice } from '../ui/choice.js';
import { SearchBox } from '../ui/search-box.js';
import { optionsOf, unwrapped, type Shape } from './property.js';

interface ResourceFiltersProps {
  readonly resource: Pick<ResourceConfig<never>, 'name' | 'filters' | 'filterOptions'>;
  readonly contract: Contract;
  readonly search: ResourceSearch;
  readonly onChange: (search: ResourceSearch) => void;
}

function contractOptions(contract: Contract, key: string): readonly FilterOption[] {
  const schema = (inputOf(contract).shape as Shape)[key];
  if (schema === undefined) return [];
  const outer = unwrapped(schema);
  const definition = outer.element === undefined ? outer : unwrapped(outer.element);
  if (definition.type === 'boolean')
    return [
      { value: 'true', label: t('resource.yes') },
      { value: 'false', label: t('resource.no') },
    ];
  return (optionsOf(definition) ?? []).map((one) => ({
    value: String(one),
    label: optionLabel(key, one),
  }));
}

/** `name:asc` becomes "Name, ascending". */
function orderLabel(resource: string, order: string): string {
  const [key = '', direction] = order.split(':');
  return `${labelOf(resource, key)} ${direction === 'asc' ? '↑' : '↓'}`;
}

function ResourceFilters({ resource, contract, search, onChange }: ResourceFiltersProps) {
  const { name, filters = [], filterOptions = {} } = resource;
  const project = useProject();
  const shown = filters.flatMap((key) => {
    const options = filterOptions[key]?.(project);
    if (options === undefined) return [{ key, options: contractOptions(contract, key) }];
    return options.length > 1 ? [{ key, options }] : [];
  });
  const orders = ordersOf(contract);
  const hasSearch = 'q' in inputOf(contract).shape;
  if (!hasSearch && shown.length === 0 && orders.length === 0) return null;
  const change = (next: ResourceSearch): void => onChange({ ...search, page: undefined, ...next });
  return (
    <div className="filters row">
      {hasSearch && <SearchBox label={t('pick.search')} onChange={(q) => change({ q })} value={search.q} />}
      {shown.map(({ key, options }) => (
        <Choice
          key={key}
          label={labelOf(name, key)}
          onChange={(value) => {
            const { [key]: _, ...others } = search.filters ?? {};
            change({ filters: value === undefined ? others : { ...others, [key]: value } });
          }}
          value={search.filters?.[key]}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
      ))}
      {orders.length > 0 && (
        <select
          aria-label={t('resource.order')}
          className="select compact"
          onChange={({ target }) => change({ orderBy: target.value || undefined })}
          value={search.orderBy ?? ''}
        >
          <option value="">{t('resource.order')}</option>
          {orders.map((order) => (
            <option key={order} value={order}>
              {orderLabel(name, order)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface Props<Item extends object> {
  readonly resource: ResourceConfig<Item>;
  /** Keys of every input besides the project. */
  readonly fixed?: Values;
  /** Above the list. */
  readonly children?: ReactNode;
}

interface TableProps<Item extends object> {
  readonly resource: ResourceConfig<Item>;
  readonly list: Contract;
  readonly items: readonly Item[];
  readonly onOpen: (item: Item) => void;
}

/** The link to an item: its own screen, or the dialog with its form. */
function ItemName<Item extends object>(props: TableProps<Item> & { readonly item: Item }) {
  const { resource, item, list, onOpen } = props;
  const { slug, environment } = useProject();
  const [first = ''] = resource.columns;
  const content =
    resource.cells?.[first as keyof Item]?.(item) ?? cellOf(list, first, item[first as keyof Item]);
  if (resource.screenOf !== undefined)
    return (
      <Link className="row-link" to={['', slug, environment, resource.screenOf(item)].join('/')}>
        {content}
      </Link>
    );
  return (
    <button className="row-link" onClick={() => onOpen(item)} type="button">
      {content}
    </button>
  );
}

function ItemTable<Item extends object>(props: TableProps<Item>) {
  const { resource, list, items } = props;
  const columns = resource.columns.map((key, index): Column<Item> => ({
    key,
    label: labelOf(resource.name, key),
    isWide: index > 1,
    cell: (item) =>
      index === 0 ? (
        <ItemName {...props} item={item} />
      ) : (
        (resource.cells?.[key]?.(item) ?? cellOf(list, key, item[key]))
      ),
  }));
  return (
    <DataTable
      columns={columns}
      keyOf={(item) => JSON.stringify(keyOf(resource, item))}
      label={t(resource.title)}
      rows={items}
    />
  );
}

interface ResultsProps<Item extends object> extends Omit<TableProps<Item>, 'items'> {
  readonly fixed: Values;
  readonly search: ResourceSearch;
  readonly onSearch: (search: ResourceSearch) => void;
}

function Results<Item extends object>(props: ResultsProps<Item>) {
  const { resource, list, fixed, search, onSearch } = props;
  const isMoving = (item: object): boolean => resource.isMoving?.(item as Item) ?? false;
  const operation = `${resource.name}.list`;
  const query = useResourceList({ operation, contract: list, fixed, isMoving }, search);
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const items = pages.flatMap(({ data }) => data) as Item[];
        const { total = items.length, page = 1, pages: pageCount = 1 } = pages[0]?.meta ?? {};
        const isFiltered = search.q !== undefined || Object.keys(search.filters ?? {}).length > 0;
        if (items.length === 0 && page === 1)
          return isFiltered ? (
            <Empty hint={t('resource.noMatchHint')} title={t('resource.noMatch')}>
              <button className="button" onClick={() => onSearch({})} type="button">
                {t('list.reset')}
              </button>
            </Empty>
          ) : (
            <Empty title={t('resource.empty')} />
          );
        return (
          <>
            <ItemTable {...props} items={items} />
            {pageCount > 1 && (
              <PageSwitch
                onPage={(next) => onSearch({ ...search, page: next })}
                page={page}
                pages={pageCount}
                total={total}
              />
            )}
            {query.hasNextPage && (
              <div className="page-switch row">
                <span className="soft small grow">
                  {t('resource.shown', { shown: formatNumber(items.length), total: formatNumber(total) })}
                </span>
                <button
                  className="button"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                  type="button"
                >
                  {t('resource.more')}
                </button>
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** The items of a resource, with what can be done with them. */
export function ResourceScreen<Item extends object>({ resource, fixed: own = {}, children }: Props<Item>) {
  const { slug, environment, may } = useProject();
  const navigate = useNavigate();
  const search = readResourceSearch(useSearch({ strict: false }));
  const [open, setOpen] = useState<{ readonly item: Item | undefined }>();
  const { list } = resource.contracts;
  if (list === undefined) throw new Error(`The resource ${resource.name} has no list.`);
  const fixed = { ...('projectSlug' in inputOf(list).shape && { projectSlug: slug }), ...own };
  const onSearch = (next: ResourceSearch): void =>
    void navigate({ to: '.', search: next as never, replace: true });
  const openCreated = (item: Item): void => {
    if (resource.opensCreated === true && resource.screenOf !== undefined)
      void navigate({ to: ['', slug, environment, resource.screenOf(item)].join('/') });
  };
  const canCreate =
    resource.contracts.create !== undefined && may(`${resource.name}.create` as OperationName);
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">{t(resource.title)}</h1>
        {canCreate && (
          <button className="button primary" onClick={() => setOpen({ item: undefined })} type="button">
            {t(resource.createLabel)}
          </button>
        )}
      </header>
      {resource.hint !== undefined && <p className="soft screen-hint">{t(resource.hint)}</p>}
      {children}
      <ResourceFilters contract={list} onChange={onSearch} resource={resource} search={search} />
      <Results
        fixed={fixed}
        list={list}
        onOpen={(item) => setOpen({ item })}
        onSearch={onSearch}
        resource={resource}
        search={search}
      />
      {open !== undefined && (
        <ItemDialog
          fixed={fixed}
          item={open.item}
          list={list}
          onClose={() => setOpen(undefined)}
          onCreated={openCreated}
          resource={resource}
        />
      )}
    </>
  );
}
