import type { ReportTheme } from '../../../../contracts/resources/report.js';
import { labelText, labelWidth, palette } from './chart.js';

export const PLOT_WIDTH = 800;
const MARGIN = 20;
const TITLE = 30;
const LEGEND_LINE = 22;

const themes = {
  light: '.chart{color:#1f2937}.background{fill:#fff}',
  dark: '.chart{color:#e5e7eb}.background{fill:#111827}',
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
export function frameChart({ title, legend, note, body, height }: Parts, theme: ReportTheme): string {
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
