import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type CSSProperties } from 'react';
import {
  type Asset,
  type ContentType,
  type Entry,
  typeOf,
  useProject,
  type Field,
} from '../api/project-data.js';
import { t, formatTime, localeName } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { listOrders, type ListOrder } from './list-search.js';
import type { Selection } from './selection.js';
import { Link } from '@tanstack/react-router';
import { isRendered, thumbnailUrl } from '../media/media-url.js';
import { cellText, usePictures } from './columns.js';
import { titleOf } from './entry-title.js';
import { StatusBadge } from './status-badge.js';

interface EntryRowProps {
  readonly entry: Entry;
  readonly fields: readonly Field[];
  readonly showsType: boolean;
  /** In the whole table, the head included. */
  readonly index: number;
  readonly locale: string | undefined;
  /** Undefined in lists without pictures. */
  readonly pictures: ReturnType<typeof usePictures>;
  readonly selection: Selection | undefined;
  readonly style: CSSProperties;
}

/** The title is beside it. Without a picture, its place is empty. */
const RowThumbnail = ({ asset }: { readonly asset: Asset | undefined }) =>
  asset !== undefined && isRendered(asset) ? (
    <img alt="" className="thumbnail small" loading="lazy" src={thumbnailUrl(asset.url, 64)} />
  ) : (
    <span className="thumbnail small vacant" />
  );

/** One code per locale, colored by its status. */
function Locales({ entry }: { readonly entry: Entry }) {
  return (
    <span className="row tight">
      {entry.locales.slice(0, 4).map(({ locale, status }) => (
        <span
          aria-label={`${localeName(locale)}: ${t(`status.${status}`)}`}
          className={`badge ${status}`}
          key={locale}
          role="img"
          title={`${localeName(locale)}: ${t(`status.${status}`)}`}
        >
          {locale}
        </span>
      ))}
      {entry.locales.length > 4 && <span className="soft small">+{entry.locales.length - 4}</span>}
    </span>
  );
}

function EntryRow({ entry, fields, showsType, index, locale, pictures, selection, style }: EntryRowProps) {
  const project = useProject();
  const type = typeOf(project, entry.contentTypeApiName);
  const title = titleOf(entry, type);
  return (
    <div aria-rowindex={index} className="table-row placed" role="row" style={style}>
      {selection !== undefined && (
        <span role="cell">
          <input
            aria-label={t('bulk.select', { title })}
            checked={selection.ids.has(entry.id)}
            onChange={() => selection.toggle(entry.id)}
            type="checkbox"
          />
        </span>
      )}
      <span className="titled" role="cell">
        {pictures !== undefined && <RowThumbnail asset={pictures(entry)} />}
        <Link
          className="row-link clip"
          params={{ project: project.slug, environment: project.environment, entry: entry.id }}
          search={{ locale: locale ?? entry.locale }}
          to="/$project/$environment/entries/$entry"
        >
          {title}
        </Link>
      </span>
      {showsType && (
        <span className="wide-only clip soft" role="cell">
          {type?.name ?? entry.contentTypeApiName}
        </span>
      )}
      {fields.map((field) => (
        <span className="wide-only field-column clip" key={field.apiName} role="cell">
          {cellText(field, entry.fields[field.apiName])}
        </span>
      ))}
      <span role="cell">
        <StatusBadge status={entry.status} />
      </span>
      <span className="wide-only" role="cell">
        <Locales entry={entry} />
      </span>
      <span className="wide-only clip soft" role="cell">
        {formatTime(entry.updatedAt)}
      </span>
    </div>
  );
}

/** Pixels, as in `list.css`. */
const ROW_HEIGHT = 44;

/** Tick, title, type, fields, status, locales, time; narrow screens have title and status. */
const templateOf = (fields: number, showsType: boolean, isTicked: boolean): string =>
  [
    ...(isTicked ? ['20px'] : []),
    'minmax(180px, 3fr)',
    ...(showsType ? ['minmax(90px, 1fr)'] : []),
    ...Array.from({ length: fields }, () => 'minmax(90px, 1.2fr)'),
    '92px',
    'minmax(110px, 1.4fr)',
    '170px',
  ].join(' ');

interface Props {
  readonly rows: readonly Entry[];
  readonly type: ContentType | undefined;
  /** Fields of the type. */
  readonly columns: readonly string[];
  readonly locale: string | undefined;
  /** Absent for those who may change nothing. */
  readonly selection: Selection | undefined;
  /** Undefined: the newest changes first. */
  readonly order: ListOrder | undefined;
  readonly onOrder: (order: ListOrder) => void;
  readonly hasMore: boolean;
  readonly onEnd: () => void;
}

/** Renders the rows that are visible, and asks for more when the last one is. */
export function EntryTable({
  rows,
  type,
  columns,
  locale,
  selection,
  order,
  onOrder,
  hasMore,
  onEnd,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length + (hasMore ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length) onEnd();
  }, [hasMore, last, rows.length, onEnd]);
  const pictures = usePictures(rows, type);
  const fields = type?.fields.filter(({ apiName }) => columns.includes(apiName)) ?? [];
  const columnCount = fields.length + (type === undefined ? 5 : 4) + (selection === undefined ? 0 : 1);
  return (
    <div className="table-scroll" ref={scroller} tabIndex={0}>
      <div
        aria-label={type?.name ?? t('list.title')}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className={selection === undefined ? 'table' : 'table ticked'}
        role="table"
        style={
          {
            '--template': templateOf(fields.length, type === undefined, selection !== undefined),
            '--narrow-template': templateOf(0, type === undefined, selection !== undefined),
          } as CSSProperties
        }
      >
        <TableHead
          fields={fields}
          rows={rows}
          selection={selection}
          order={order}
          onOrder={onOrder}
          showsType={type === undefined}
        />
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start }) => {
            const entry = rows[index];
            const style = { transform: `translateY(${String(start)}px)` };
            return entry === undefined ? (
              <div className="table-row placed" key="more" role="row" style={style}>
                <span aria-colspan={columnCount} className="soft" role="cell">
                  {t('list.more')}
                </span>
              </div>
            ) : (
              <EntryRow
                entry={entry}
                fields={fields}
                pictures={pictures}
                index={index + 2}
                key={entry.id}
                locale={locale}
                selection={selection}
                showsType={type === undefined}
                style={style}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface HeadProps extends Pick<Props, 'order' | 'onOrder'> {
  readonly fields: ContentType['fields'];
  readonly rows: readonly Entry[];
  readonly selection: Selection | undefined;
  readonly showsType: boolean;
}

interface SortProps {
  readonly name: string;
  /** Key of the order. */
  readonly by: 'title' | 'updatedAt' | `fields.${string}`;
  readonly order: ListOrder;
  readonly isWideOnly?: boolean;
  readonly onOrder: (order: ListOrder) => void;
}

/** The head of a column that the list is sorted by, in the other direction at the second time. */
function SortHead({ name, by, order, isWideOnly = false, onOrder }: SortProps) {
  const isSorted = order.startsWith(`${by}:`);
  const isDescending = order.endsWith('desc');
  // Times start with the newest.
  const first = by === 'updatedAt' ? 'desc' : 'asc';
  const next: ListOrder = `${by}:${isSorted ? (isDescending ? 'asc' : 'desc') : first}`;
  return (
    <span
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
      className={isWideOnly ? `wide-only${by.startsWith('fields.') ? ' field-column' : ''}` : undefined}
      role="columnheader"
    >
      <button
        className="sort-head"
        onClick={() => onOrder(next)}
        title={t('list.sortBy', { name })}
        type="button"
      >
        <span className="clip">{name}</span>
        {isSorted && <Icon name={isDescending ? 'down' : 'up'} />}
      </button>
    </span>
  );
}

function TableHead({ fields, rows, selection, order = listOrders[0], onOrder, showsType }: HeadProps) {
  const sort = { order, onOrder };
  return (
    <div className="table-row table-head" role="row">
      {selection !== undefined && (
        <span role="columnheader">
          <input
            aria-label={t('bulk.all')}
            checked={rows.every(({ id }) => selection.ids.has(id))}
            onChange={({ target }) => selection.set(target.checked ? rows.map(({ id }) => id) : [])}
            type="checkbox"
          />
        </span>
      )}
      <SortHead {...sort} by="title" name={t('column.title')} />
      {showsType && (
        <span className="wide-only" role="columnheader">
          {t('column.type')}
        </span>
      )}
      {fields.map(({ apiName, name }) => (
        <SortHead {...sort} by={`fields.${apiName}`} isWideOnly key={apiName} name={name} />
      ))}
      <span role="columnheader">{t('column.status')}</span>
      <span className="wide-only" role="columnheader">
        {t('column.locales')}
      </span>
      <SortHead {...sort} by="updatedAt" isWideOnly name={t('column.updated')} />
    </div>
  );
}
