import type { ReactNode } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';

export function Loading() {
  return (
    <div className="blank" role="status">
      <span className="spinner" />
      <span className="soft">{t('app.loading')}</span>
    </div>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function Failed({ error, onRetry }: FailedProps) {
  return (
    <div className="blank" role="alert">
      <h2>{t('app.failed')}</h2>
      <p className="soft">{failureOf(error).message}</p>
      <button className="button" onClick={onRetry} type="button">
        {t('app.retry')}
      </button>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ReactNode;
}

export function Empty({ title, hint, children }: EmptyProps) {
  return (
    <div className="blank">
      <h2>{title}</h2>
      {hint !== undefined && <p className="soft">{hint}</p>}
      {children}
    </div>
  );
}

export interface QueryLike<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/** What a query shows while it has no data, else its content. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: QueryLike<T>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading />;
  return <Failed error={query.error} onRetry={() => void query.refetch()} />;
}

interface ItemListProps<T> {
  readonly items: readonly T[];
  /** Shown in place of an empty list. */
  readonly none: string;
  readonly children: (item: T) => ReactNode;
}

export function ItemList<T>({ items, none, children }: ItemListProps<T>) {
  if (items.length === 0) return <p>{none}</p>;
  return <ul className="plain-list stack">{items.map(children)}</ul>;
}
