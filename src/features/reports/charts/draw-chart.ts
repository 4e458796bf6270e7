import type { ReportTheme } from '../../../../contracts/resources/report.js';
import { shownChart, type Chart, type ShownChart } from './chart.js';
import { frameChart, PLOT_WIDTH } from './chart-frame.js';
import { PIE_HEIGHT, pieSvg } from './pie-svg.js';
import { plotSvg } from './plot-svg.js';

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
