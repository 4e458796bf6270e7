import { isUuid } from '../../../infrastructure/ids.js';
import { invalidCursor, type Position } from './cursor.js';

/** A column that is never null. */
interface SortKey {
  /** SQL, never from a request. */
  readonly column: string;
  readonly type: 'time' | 'text' | 'uuid' | 'integer';
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
