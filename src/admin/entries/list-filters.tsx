import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { localesOf, useProject, type ContentType, type Field } from '../api/project-data.js';
import { PersonOptions } from '../planning/person-options.js';
import { localeName, t } from '../texts/index.js';
import { useDelayed } from '../ui/hooks.js';
import {
  allStatuses,
  listOrders,
  orderedField,
  orderOf,
  type FieldFilter,
  type ListSearch,
  type Status,
} from './list-search.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { IconButton } from '../ui/icon-button.js';
import { lazyPart } from '../ui/lazy-part.js';
import { choicesOf, columnFields } from './columns.js';

const FilterForm = lazyPart(() => import('./field-filter.js'), 'FilterForm');

/** Such as "Length: at least 12". */
function filterText(field: Field, { comparison, value }: FieldFilter): string {
  const shown = choicesOf(field).find((one) => one.value === value)?.label ?? value;
  const day = field.type === 'dateTime' && value !== '' ? new Date(value).toLocaleDateString() : shown;
  return `${field.name}: ${t(`list.filter.${comparison}`)} ${day}`.trim();
}

interface FieldFiltersProps {
  readonly type: ContentType;
  readonly filters: readonly FieldFilter[];
  readonly onChange: (filters: readonly FieldFilter[]) => void;
}

/** Filters by fields of the type: those that apply, each with a button that removes it, and one more. */
function FieldFilters({ type, filters, onChange }: FieldFiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const title = type.fields.filter(({ type: kind, isList }) => kind === 'text' && !isList).slice(0, 1);
  const fields = [...new Set([...title, ...columnFields(type)])];
  if (fields.length === 0) return null;
  return (
    <>
      <button className="button" onClick={() => setIsOpen(true)} type="button">
        <Icon name="add" />
        {t('list.filterBy')}
      </button>
      {filters.map((filter, index) => {
        const field = type.fields.find(({ apiName }) => apiName === filter.field);
        const text = field === undefined ? filter.field : filterText(field, filter);
        return (
          <span className="badge filter-chip" key={JSON.stringify(filter)}>
            <span className="clip">{text}</span>
            <IconButton
              icon="close"
              label={t('list.filterRemove', { filter: text })}
              onClick={() => onChange(filters.toSpliced(index, 1))}
            />
          </span>
        );
      })}
      <Suspense>
        {isOpen && (
          <Dialog onClose={() => setIsOpen(false)} title={t('list.filterBy')}>
            <FilterForm
              fields={fields}
              onAdd={(filter) => {
                onChange([...filters, filter]);
                setIsOpen(false);
              }}
            />
          </Dialog>
        )}
      </Suspense>
    </>
  );
}

interface ColumnMenuProps {
  readonly type: ContentType;
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Which fields of the type are columns. */
function ColumnMenu({ type, chosen, onChange }: ColumnMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const fields = columnFields(type);
  if (fields.length === 0) return null;
  return (
    <>
      <button className="button" onClick={() => setIsOpen(true)} type="button">
        {t('list.columns')}
      </button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={t('list.columns')}>
          {fields.map(({ apiName, name }) => (
            <label className="row" key={apiName}>
              <input
                checked={chosen.includes(apiName)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, apiName] : chosen.filter((one) => one !== apiName))
                }
                type="checkbox"
              />
              {name}
            </label>
          ))}
        </Dialog>
      )}
    </>
  );
}

interface Props {
  readonly search: ListSearch;
  readonly type: ContentType | undefined;
  readonly onChange: (search: ListSearch) => void;
  /** Undefined without a type. */
  readonly columns: readonly string[] | undefined;
  readonly onColumns: (names: readonly string[]) => void;
}

/** An option of the status, which filters by another property. */
const DELETED = 'deleted';
const deleted = { deleted: true, status: undefined } as const;
const existing = { deleted: undefined } as const;

interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly children: ReactNode;
}

function Filter({ label, value, onChange, children }: FilterProps) {
  return (
    <select
      aria-label={label}
      className="select compact"
      onChange={({ target }) => onChange(target.value || undefined)}
      value={value ?? ''}
    >
      <option value="">
        {label}: {t('list.any')}
      </option>
      {children}
    </select>
  );
}

/** The address changes when the typing pauses. */
function SearchBox({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const [typed, setTyped] = useState(search.q ?? '');
  const settled = useDelayed(typed);
  useEffect(() => {
    setTyped(search.q ?? '');
  }, [search.q, search.type]);
  useEffect(() => {
    if (settled === typed && settled !== (search.q ?? '')) onChange({ ...search, q: settled || undefined });
    // Only what was typed changes the address; what the address changes is shown above.
  }, [settled]);
  return (
    <input
      aria-label={t('list.search')}
      className="input search"
      onChange={({ target }) => setTyped(target.value)}
      placeholder={t('list.search')}
      type="search"
      value={typed}
    />
  );
}

function OrderChoice({ search, type, onChange }: Pick<Props, 'search' | 'type' | 'onChange'>) {
  const ordered = orderedField(search.order);
  const field = type?.fields.find(({ apiName }) => apiName === ordered);
  return (
    <select
      aria-label={t('resource.order')}
      className="select compact"
      onChange={({ target }) => {
        const order = orderOf(target.value);
        onChange({ ...search, order: order === listOrders[0] ? undefined : order });
      }}
      value={search.order ?? listOrders[0]}
    >
      {listOrders.map((order) => (
        <option key={order} value={order}>
          {t(`list.order.${order}`)}
        </option>
      ))}
      {ordered !== undefined && (
        <option value={search.order}>{t('list.sortBy', { name: field?.name ?? ordered })}</option>
      )}
    </select>
  );
}

export function ListFilters({ search, type, columns, onChange, onColumns }: Props) {
  const project = useProject();
  return (
    <div className="filters row">
      <SearchBox onChange={onChange} search={search} />
      <Filter
        label={t('list.status')}
        onChange={(status) =>
          onChange({
            ...search,
            ...(status === DELETED ? deleted : { ...existing, status: status as Status }),
          })
        }
        value={search.deleted === true ? DELETED : search.status}
      >
        {allStatuses.map((status) => (
          <option key={status} value={status}>
            {t(`status.${status}`)}
          </option>
        ))}
        <option value={DELETED}>{t('deleted.filter')}</option>
      </Filter>
      <Filter
        label={t('list.type')}
        onChange={(next) => {
          const order = orderedField(search.order) === undefined ? search.order : undefined;
          onChange({ ...search, type: next, columns: undefined, where: undefined, order });
        }}
        value={search.type}
      >
        {project.types.map(({ apiName, name }) => (
          <option key={apiName} value={apiName}>
            {name}
          </option>
        ))}
      </Filter>
      <select
        aria-label={t('list.locale')}
        className="select compact"
        onChange={({ target }) => onChange({ ...search, locale: target.value })}
        value={search.locale ?? localesOf(project)[0]}
      >
        {localesOf(project).map((locale) => (
          <option key={locale} value={locale}>
            {localeName(locale)}
          </option>
        ))}
      </select>
      {project.sites.length > 1 && (
        <Filter label={t('list.site')} onChange={(site) => onChange({ ...search, site })} value={search.site}>
          {project.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Filter>
      )}
      <Filter
        label={t('list.author')}
        onChange={(author) => onChange({ ...search, author })}
        value={search.author}
      >
        <PersonOptions hasSelf />
      </Filter>
      <OrderChoice onChange={onChange} search={search} type={type} />
      {type !== undefined && (
        <FieldFilters
          filters={search.where ?? []}
          onChange={(where) => onChange({ ...search, where: where.length === 0 ? undefined : where })}
          type={type}
        />
      )}
      {type !== undefined && columns !== undefined && (
        <ColumnMenu chosen={columns} onChange={onColumns} type={type} />
      )}
    </div>
  );
}
