import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Left out on narrow screens. */
  readonly isWide?: boolean;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
}

const classOf = ({ isNumber = false, isWide = false }: Column<never>): string =>
  [isNumber ? 'number' : '', isWide ? 'wide-only' : ''].join(' ').trim();

/** Rows of one page; long lists are virtual instead. */
export function DataTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <div aria-label={label} className="data-scroll" role="region" tabIndex={0}>
      <table aria-label={label} className="data">
        <thead>
          <tr>
            {columns.map((column) => (
              <th className={classOf(column)} key={column.key} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map((column) => (
                <td className={classOf(column)} key={column.key}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
