import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidInput, type AppError } from '../../../../contracts/errors.js';
import { canonicalJson } from '../../../content/exact-json/canonical-json.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { listEnvelope, type ListMeta, type Page } from '../../../../contracts/envelopes.js';
import { FIRST_CURSOR } from '../../../../contracts/primitives.js';

/** Values of the sort keys of a row, its id last. */
export type Position = readonly string[];

/** The list that a cursor belongs to. Its pages may differ in size and in what they show of an entry. */
export interface CursorList {
  readonly name: string;
  readonly tenantId: string | null;
  readonly projectId: string | null;
  readonly environmentId: string | null;
  /** Filters and order. */
  readonly query: object;
}

interface Cursor {
  readonly after: Position;
  /** Items before the page. */
  readonly passed: number;
  /** Items in the list when its first page was read. */
  readonly total: number;
}

const VERSION = 1;
/** GraphQL has no larger integers. */
const COUNT_MAXIMUM = 2_000_000_000;
const count = z.int().min(0).max(COUNT_MAXIMUM);
const keyValue = z.string().refine((value) => value.isWellFormed() && !value.includes('\u0000'));
const Payload = z.tuple([z.literal(VERSION), z.string(), count, count, z.array(keyValue).min(1).max(8)]);

const invalidCursor = (): AppError =>
  invalidInput({
    path: ['cursor'],
    code: 'invalid_cursor',
    message: 'The cursor is invalid. Use nextCursor of the previous page, or * for the first page.',
  });

const otherList = (): AppError =>
  invalidInput({
    path: ['cursor'],
    code: 'invalid_cursor',
    message:
      'The cursor belongs to another list. Use the filters and the order of the page that returned it.',
  });

/** Distinguishes lists; it protects nothing, because a cursor only says after which values to continue. */
const fingerprint = (list: CursorList): string =>
  createHash('sha256').update(canonicalJson(list)).digest('base64url').slice(0, 16);

export function encodeCursor(list: CursorList, { after, passed, total }: Cursor): string {
  const payload = [VERSION, fingerprint(list), total, Math.min(passed, COUNT_MAXIMUM), after];
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

function payloadOf(cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) throw invalidCursor();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidCursor();
  }
}

/** @throws AppError 422 `validation_failed` unless the cursor was returned by this list */
export function decodeCursor(list: CursorList, cursor: string): Cursor {
  const { data } = Payload.safeParse(payloadOf(cursor));
  if (data === undefined) throw invalidCursor();
  const [, of, total, passed, after] = data;
  if (of !== fingerprint(list)) throw otherList();
  return { after, passed, total };
}

/** A column that is never null. */
interface SortKey {
  /** SQL, never from a request. */
  readonly column: string;
  readonly type: 'time' | 'text' | 'uuid' | 'integer' | 'number';
}

/** The order of a list: every key in the same direction, the last one unique. */
export interface Keyset {
  readonly keys: readonly SortKey[];
  readonly isAscending: boolean;
}

interface KeyType {
  /** SQL of the value as a string. */
  readonly text: (column: string) => string;
  /** The value to bind; undefined if malformed. */
  readonly parse: (value: string) => string | undefined;
  readonly cast: string;
}

const MICROSECONDS = /^-?\d{1,16}$/;
/** Microseconds that both Date and a number represent exactly. */
const TIME_MAXIMUM = Number.MAX_SAFE_INTEGER;

/** ISO 8601 with microseconds, which a Date would lose. */
function parseTime(value: string): string | undefined {
  const time = MICROSECONDS.test(value) ? Number(value) : Infinity;
  if (Math.abs(time) > TIME_MAXIMUM) return undefined;
  const milliseconds = Math.floor(time / 1000);
  const rest = String(time - milliseconds * 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}

const INTEGER = /^-?\d{1,9}$/;
/** As PostgreSQL writes those that JSON numbers have. */
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?$/;

const types: Readonly<Record<SortKey['type'], KeyType>> = {
  time: {
    text: (column) => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`,
    parse: parseTime,
    cast: 'timestamptz',
  },
  text: { text: (column) => column, parse: (value) => value, cast: 'text' },
  uuid: {
    text: (column) => `${column}::text`,
    parse: (value) => (isUuid(value) ? value : undefined),
    cast: 'uuid',
  },
  integer: {
    text: (column) => `${column}::text`,
    parse: (value) => (INTEGER.test(value) ? value : undefined),
    cast: 'int',
  },
  number: {
    text: (column) => `${column}::text`,
    parse: (value) => (NUMBER.test(value) ? value : undefined),
    cast: 'numeric',
  },
};

/** SQL column with the position of a row. */
export const positionSql = ({ keys }: Keyset): string =>
  `jsonb_build_array(${keys.map(({ column, type }) => types[type].text(column)).join(', ')}) AS position`;

export const orderSql = ({ keys, isAscending }: Keyset): string =>
  keys.map(({ column }) => (isAscending ? column : `${column} DESC`)).join(', ');

/**
 * SQL that continues a WHERE clause: rows after a position, which an index on the keys finds.
 * @throws AppError 422 `validation_failed` for values of other types
 */
export function afterSql(
  { keys, isAscending }: Keyset,
  after: Position | null,
  bind: (value: unknown) => string,
): string {
  if (after === null) return '';
  if (after.length !== keys.length) throw invalidCursor();
  const values = keys.map(({ type }, index) => {
    const value = types[type].parse(after[index] ?? '');
    if (value === undefined) throw invalidCursor();
    return `${bind(value)}::${types[type].cast}`;
  });
  const columns = keys.map(({ column }) => column).join(', ');
  return ` AND (${columns}) ${isAscending ? '>' : '<'} (${values.join(', ')})`;
}

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
interface OpenedPage {
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
