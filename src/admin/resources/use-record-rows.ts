import { useState } from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

export type RecordRow = readonly [name: string, value: unknown];

/** Rows without a name are not part of the value yet. */
const recordOf = (rows: readonly (RecordRow | null)[]): Record<string, unknown> =>
  Object.fromEntries(rows.filter((row): row is RecordRow => row !== null && row[0] !== ''));

/** The rows of a record as they are typed: two may have the same name for a while, or none. */
export function useRecordRows(
  value: unknown,
  onChange: (value: unknown) => void,
): [rows: readonly (RecordRow | null)[], change: (rows: readonly (RecordRow | null)[]) => void] {
  const record = (value ?? {}) as Record<string, unknown>;
  const [rows, setRows] = useState<readonly (RecordRow | null)[]>(() => Object.entries(record));
  const isCurrent = isEqualJson(recordOf(rows), record);
  const shown = isCurrent ? rows : Object.entries(record);
  return [
    shown,
    (next) => {
      setRows(next);
      onChange(recordOf(next));
    },
  ];
}
