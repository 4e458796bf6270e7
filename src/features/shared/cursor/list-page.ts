import { listEnvelope, type ListMeta, type Page } from '../../../../contracts/envelopes.js';
import { invalidInput } from '../../../../contracts/errors.js';
import { FIRST_CURSOR } from '../../../../contracts/primitives.js';
import { decodeCursor, encodeCursor, type Cursor, type CursorList, type Position } from './cursor.js';

/** A page by cursor: where it starts, and what is already known of the list. */
export interface Walk {
  /** Null for the first page. */
  readonly after: Position | null;
  /** Null on the first page, which counts. */
  readonly total: number | null;
}

/** Part of a list: by cursor with `walk`, else by offset. */
export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
  readonly walk?: Walk | undefined;
}

/** `next` is set for a page by cursor; null if it is the last one. */
export interface ListedPage<T> extends Page<T> {
  readonly next?: Position | null;
}

interface Positioned {
  readonly position: Position;
}

/** @param rows of the page, and one more if the list has it */
export function walkedPage<Row extends Positioned>(
  rows: readonly Row[],
  limit: number,
): { items: Omit<Row, 'position'>[]; next: Position | null } {
  const page = rows.slice(0, limit);
  const items = page.map(({ position: _position, ...row }) => row);
  return { items, next: rows.length > limit ? (page.at(-1)?.position ?? null) : null };
}

/** A walk through a list, at one of its pages. */
export class ListWalk implements Walk {
  readonly #cursor: Cursor | undefined;

  /** @throws AppError 422 `validation_failed` for a cursor of another list, and for a malformed one */
  constructor(
    private readonly list: CursorList,
    cursor: string,
  ) {
    this.#cursor = cursor === FIRST_CURSOR ? undefined : decodeCursor(list, cursor);
  }

  get after(): Position | null {
    return this.#cursor?.after ?? null;
  }

  get total(): number | null {
    return this.#cursor?.total ?? null;
  }

  /** Items before the page. */
  get passed(): number {
    return this.#cursor?.passed ?? 0;
  }

  nextCursor({ items, total, next }: ListedPage<unknown>): string | null {
    if (next === undefined || next === null) return null;
    return encodeCursor(this.list, { after: next, passed: this.passed + items.length, total });
  }
}

interface PageInput {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The requested page of a list. */
export interface OpenedPage {
  readonly window: ListWindow;
  envelope<T>(page: ListedPage<T>): { data: T[]; meta: ListMeta };
}

type Scope = Pick<CursorList, 'tenantId' | 'projectId' | 'environmentId'>;

export const cursorList = (
  name: string,
  { tenantId, projectId, environmentId }: Scope,
  query: object,
): CursorList => ({ name, tenantId, projectId, environmentId, query });

/**
 * A page by number or by cursor. A page by cursor has the number that it has in its walk.
 * @param list whose cursors every other part of the input must equal
 * @throws AppError 422 `validation_failed` for an invalid cursor, and for a cursor with a page
 */
export function openPage(
  { page, limit, cursor, ...query }: PageInput,
  list: { readonly name: string; readonly scope: Scope },
): OpenedPage {
  if (cursor === undefined)
    return {
      window: { limit, offset: (page - 1) * limit },
      envelope: (found) => listEnvelope(found, { page, limit }),
    };
  if (page !== 1) {
    const message = 'A request has either page or cursor.';
    throw invalidInput({ path: ['page'], code: 'page_with_cursor', message });
  }
  const walk = new ListWalk(cursorList(list.name, list.scope, query), cursor);
  return {
    window: { limit, offset: 0, walk },
    envelope: (found) => {
      const { data, meta } = listEnvelope(found, { page: Math.floor(walk.passed / limit) + 1, limit });
      return { data, meta: { ...meta, nextCursor: walk.nextCursor(found) } };
    },
  };
}
