/** A number of a chart. */
export interface Point {
  /** A category, or a day such as `2027-01-01`. */
  readonly x: string;
  readonly series: string;
  readonly y: number;
}

export interface Chart {
  readonly title: string;
  readonly kind: 'bar' | 'line' | 'pie';
  /** Whether `x` is a day. */
  readonly isDated: boolean;
  /** Categories in the order to draw them, days ascending. */
  readonly points: readonly Point[];
}

/** The chart without what cannot be told apart or read, and how many categories and series that were. */
export interface ShownChart extends Chart {
  readonly series: readonly string[];
  readonly hidden: number;
}

/** Colours that differ from each other, and are readable on both backgrounds. */
export const palette = [
  '#3b82f6',
  '#d97706',
  '#059669',
  '#db2777',
  '#8b5cf6',
  '#0891b2',
  '#65a30d',
  '#dc2626',
  '#6b7280',
] as const;

const MOST_BARS = 30;
const LONGEST_LABEL = 36;

// The no-break space would be serialized as an entity that XML lacks.
const unprintable = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFFFE\uFFFF\u00A0\s]+/gu;

/** A label in one line of text that XML can hold. */
export function labelText(text: string): string {
  const line = text.toWellFormed().replace(unprintable, ' ').trim();
  const characters = [...line];
  return characters.length <= LONGEST_LABEL ? line : `${characters.slice(0, LONGEST_LABEL - 1).join('')}…`;
}

/** Keeps labels that are cut to the same text apart. */
function distinctLabels(texts: Iterable<string>): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const labels = new Map<string, string>();
  for (const text of texts) {
    if (labels.has(text)) continue;
    const label = labelText(text) || '–';
    let distinct = label;
    for (let number = 2; taken.has(distinct); number += 1) distinct = `${label} (${String(number)})`;
    taken.add(distinct);
    labels.set(text, distinct);
  }
  return labels;
}

/** The first series and categories, with labels that can be drawn. */
export function shownChart(chart: Chart): ShownChart {
  const categories = distinctLabels(chart.points.map(({ x }) => x));
  const series = distinctLabels(chart.points.map((point) => point.series));
  const most = chart.kind === 'pie' ? palette.length : chart.isDated ? Infinity : MOST_BARS;
  const shownCategories = new Set([...categories.keys()].slice(0, most));
  const shownSeries = new Set([...series.keys()].slice(0, palette.length));
  const points = chart.points
    .filter((point) => shownCategories.has(point.x) && shownSeries.has(point.series))
    .map(({ x, series: name, y }) => ({ x: categories.get(x) ?? x, series: series.get(name) ?? name, y }));
  return {
    ...chart,
    title: labelText(chart.title),
    points,
    series: [...shownSeries].map((name) => series.get(name) ?? name),
    hidden: categories.size - shownCategories.size + series.size - shownSeries.size,
  };
}

/** Pixels that a label takes at most; characters of Asian scripts are wider. */
export const labelWidth = (label: string): number =>
  [...label].reduce((width, character) => width + (character > '\u2E7F' ? 14 : 8), 0);

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
