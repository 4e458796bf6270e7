import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure.js';
import { Loaded, type QueryLike } from '../../ui/states.js';

interface Props<T> {
  readonly title: string;
  /** Where the rest is. */
  readonly more?: ReactNode;
  readonly query: QueryLike<T>;
  readonly children: (data: T) => ReactNode;
}

/** A part of the dashboard; those that the user may not read are left out. */
export function Section<T>({ title, more, query, children }: Props<T>) {
  if (query.error !== null && failureOf(query.error).code === 'permission_denied') return null;
  return (
    <section aria-label={title} className="board">
      <header className="row">
        <h2 className="grow">{title}</h2>
        {more}
      </header>
      <Loaded query={query}>{children}</Loaded>
    </section>
  );
}
