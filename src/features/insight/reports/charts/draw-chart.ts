import type { ReportTheme } from '../../../../../contracts/insight/reports/report.js';
import { labelText, labelWidth, palette, type ShownChart, shownChart, type Chart } from './chart.js';

const PLOT_WIDTH = 800;
const MARGIN = 20;
const TITLE = 30;
const LEGEND_LINE = 22;

const themes = {
  light: '.chart{color:#17202b}.background{fill:#fff}',
  dark: '.chart{color:#e4e9ef}.background{fill:#15191e}',
} as const;

const styles: Readonly<Record<ReportTheme, string>> = {
  ...themes,
  auto: `${themes.light}@media (prefers-color-scheme:dark){${themes.dark}}`,
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

interface Legend {
  readonly svg: string;
  readonly height: number;
}

/** Names beside their colours, in as many lines as they need. */
function legendOf(names: readonly string[]): Legend {
  const places: { name: string; x: number; line: number }[] = [];
  for (const name of names) {
    const { x = MARGIN, line = 0, name: previous = '' } = places.at(-1) ?? {};
    const next = places.length === 0 ? MARGIN : x + 40 + labelWidth(previous);
    const isOver = next + 20 + labelWidth(name) > PLOT_WIDTH + MARGIN;
    places.push(isOver ? { name, x: MARGIN, line: line + 1 } : { name, x: next, line });
  }
  const items = places.map(
    ({ name, x, line }, position) =>
      `<g transform="translate(${String(x)},${String(line * LEGEND_LINE)})"><rect width="12" height="12" rx="2" fill="${
        palette[position % palette.length] ?? ''
      }"/><text x="18" y="11">${escapeXml(name)}</text></g>`,
  );
  return { svg: items.join(''), height: ((places.at(-1)?.line ?? -1) + 1) * LEGEND_LINE };
}

interface Parts {
  readonly title: string;
  readonly legend: readonly string[];
  /** Shown below the title; empty for none. */
  readonly note: string;
  /** Fits the width {@link PLOT_WIDTH}. */
  readonly body: string;
  readonly height: number;
}

const placed = (svg: string, y: number): string => `<g transform="translate(0,${String(y)})">${svg}</g>`;

/** A whole document: it has no script and requests nothing. */
function frameChart({ title, legend, note, body, height }: Parts, theme: ReportTheme): string {
  const heading = `<text x="${String(MARGIN)}" y="32" font-size="18" font-weight="600">${escapeXml(labelText(title))}</text>`;
  const hint =
    note === '' ? '' : `<text x="${String(MARGIN)}" y="54" opacity="0.75">${escapeXml(note)}</text>`;
  const top = MARGIN + TITLE + (note === '' ? 0 : 20);
  const names = legendOf(legend);
  const bodyTop = top + names.height + 8;
  const width = PLOT_WIDTH + 2 * MARGIN;
  const total = bodyTop + height + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" width="${String(width)}" height="${String(total)}" viewBox="0 0 ${String(width)} ${String(
    total,
  )}" font-family="system-ui, sans-serif" font-size="13" fill="currentColor"><title>${escapeXml(labelText(title))}</title><style>${
    styles[theme]
  }</style><rect class="background" width="100%" height="100%"/>${heading}${hint}${placed(names.svg, top)}${placed(body, bodyTop)}</svg>`;
}

const RADIUS = 150;
const PIE_HEIGHT = 2 * RADIUS + 20;

/** Slices as a group around its origin. */
async function pieSvg({ points }: ShownChart): Promise<string> {
  const { arc, pie } = await import('d3-shape');
  const slices = pie<(typeof points)[number]>()
    .sort(null)
    .value(({ y }) => y)([...points]);
  const path = arc<(typeof slices)[number]>()
    .innerRadius(RADIUS / 2)
    .outerRadius(RADIUS)
    .padAngle(0.01);
  const shapes = slices.map(
    (slice, position) =>
      `<path d="${path(slice) ?? ''}" fill="${palette[position % palette.length] ?? ''}"/>`,
  );
  return `<g>${shapes.join('')}</g>`;
}

/** Pixels of one category, and of the axis. */
const BAR = 26;
const AXIS = 50;
const LINE_HEIGHT = 340;

interface Drawing {
  readonly svg: string;
  readonly height: number;
}

const day = (date: string): Date => new Date(`${date}T00:00:00Z`);

/** Lines or bars with axes as an `svg` element; its text and lines have the current colour. */
async function plotSvg({ kind, isDated, points, series }: ShownChart): Promise<Drawing> {
  const Plot = await import('@observablehq/plot');
  const { parseHTML } = await import('linkedom');
  const page = parseHTML('<!doctype html><html><body></body></html>') as { readonly document: unknown };
  const categories = [...new Set(points.map(({ x }) => x))];
  const color = { domain: [...series], range: palette.slice(0, series.length) };
  const common = { document: page.document as never, width: PLOT_WIDTH, className: 'plot', color };
  const style = { fontSize: '12px', background: 'transparent' };
  if (kind === 'line') {
    const data = points.map((point) => ({ ...point, x: isDated ? day(point.x) : point.x }));
    const isShort = categories.length <= 40;
    const plot: unknown = Plot.plot({
      ...common,
      style,
      height: LINE_HEIGHT,
      marginLeft: 56,
      marginBottom: 44,
      x: isDated ? { type: 'utc', label: null } : { type: 'point', domain: categories, label: null },
      y: { grid: true, label: null, zero: true, nice: true },
      marks: [
        Plot.ruleY([0]),
        Plot.lineY(data, { x: 'x', y: 'y', z: 'series', stroke: 'series', strokeWidth: 2 }),
        ...(isShort ? [Plot.dot(data, { x: 'x', y: 'y', fill: 'series', r: 2.5 })] : []),
      ],
    });
    return { svg: plainSvg(plot), height: LINE_HEIGHT };
  }
  const height = categories.length * BAR + AXIS;
  const plot: unknown = Plot.plot({
    ...common,
    style,
    height,
    marginLeft: Math.min(300, Math.max(60, ...categories.map(labelWidth)) + 16),
    marginRight: 50,
    x: { grid: true, label: null, zero: true, nice: true },
    y: { domain: categories, label: null },
    marks: [Plot.barX(points, { x: 'y', y: 'x', z: 'series', fill: 'series' }), Plot.ruleX([0])],
  });
  return { svg: plainSvg(plot), height };
}

interface PlotElement {
  readonly outerHTML: string;
  querySelector(selector: string): { remove(): void } | null;
}

/** Without its style sheet, which is for pages. */
function plainSvg(plot: unknown): string {
  const element = plot as PlotElement;
  element.querySelector('style')?.remove();
  return element.outerHTML;
}

const noteOf = ({ points, hidden }: ShownChart): string => {
  if (points.length === 0) return 'No data.';
  return hidden === 0 ? '' : `${String(hidden)} more not shown.`;
};

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Slices are named with their values and shares. */
function sliceNames({ points }: ShownChart): string[] {
  const sum = points.reduce((all, { y }) => all + y, 0);
  return points.map(({ x, y }) => `${x}: ${format.format(y)} (${format.format((100 * y) / sum)}%)`);
}

async function pie(shown: ShownChart, theme: ReportTheme): Promise<string> {
  const { title } = shown;
  const slices = { ...shown, points: shown.points.filter(({ y }) => y > 0) };
  const middle = `translate(${String(PLOT_WIDTH / 2)},${String(PIE_HEIGHT / 2)})`;
  const body = slices.points.length === 0 ? '' : `<g transform="${middle}">${await pieSvg(slices)}</g>`;
  return frameChart(
    { title, legend: sliceNames(slices), note: noteOf(slices), body, height: PIE_HEIGHT },
    theme,
  );
}

/** The chart as an SVG document in the colours of the reader's system, or of one theme. */
export async function drawChart(chart: Chart, theme: ReportTheme): Promise<string> {
  const shown = shownChart(chart);
  if (shown.kind === 'pie') return pie(shown, theme);
  const { title, series, points } = shown;
  const note = noteOf(shown);
  if (points.length === 0) return frameChart({ title, legend: [], note, body: '', height: 40 }, theme);
  const { svg, height } = await plotSvg(shown);
  return frameChart({ title, legend: series, note, body: svg, height }, theme);
}
