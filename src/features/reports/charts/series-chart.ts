import type { Chart, Point } from './chart.js';

const words = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

type Counts = Readonly<Record<string, unknown>>;

/** One line for each of these keys over the dates of a series. */
export function seriesChart(
  title: string,
  series: readonly (Counts & { readonly date: string })[],
  keys: readonly string[],
): Chart {
  const points = series.flatMap((counts) =>
    keys.map((key): Point => ({ x: counts.date, series: words(key), y: Number(counts[key]) })),
  );
  return { title, kind: 'line', isDated: true, points };
}

/** A bar for each row, in parts for these keys. */
export function rowsChart<R extends Counts>(
  title: string,
  rows: readonly R[],
  { label, keys }: { readonly label: (row: R) => string; readonly keys: readonly string[] },
): Chart {
  const points = rows.flatMap((row) =>
    keys.map((key): Point => ({ x: label(row), series: words(key), y: Number(row[key]) })),
  );
  return { title, kind: 'bar', isDated: false, points };
}
