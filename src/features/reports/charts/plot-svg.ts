import { labelWidth, palette, type ShownChart } from './chart.js';
import { PLOT_WIDTH } from './chart-frame.js';

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
export async function plotSvg({ kind, isDated, points, series }: ShownChart): Promise<Drawing> {
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
