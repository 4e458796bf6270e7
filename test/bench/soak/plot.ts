import type { Sample } from './samples.js';

const WIDTH = 860;
const PANEL_HEIGHT = 130;
const LEFT = 60;
const RIGHT = 20;
const TOP = 40;
const GAP = 46;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;

interface Line {
  readonly name: string;
  readonly color: string;
  readonly value: (sample: Sample) => number;
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const panels: readonly Panel[] = [
  {
    title: 'Memory, MB',
    lines: [
      { name: 'resident', color: '#2f7d6b', value: ({ residentMb }) => residentMb },
      { name: 'heap in use', color: '#c2703d', value: ({ heapMb }) => heapMb },
    ],
  },
  {
    title: 'Event-loop delay, p99 ms',
    lines: [{ name: 'delay', color: '#5b5ea6', value: ({ loopDelayMs }) => loopDelayMs }],
  },
  {
    title: 'Open connections',
    lines: [
      { name: 'sockets', color: '#2f7d6b', value: ({ sockets }) => sockets },
      { name: 'database', color: '#c2703d', value: ({ databaseConnections }) => databaseConnections },
    ],
  },
  {
    title: 'Requests per second',
    lines: [{ name: 'requests', color: '#5b5ea6', value: ({ requestsPerSecond }) => requestsPerSecond }],
  },
];

function pathOf({ value }: Line, samples: readonly Sample[], highest: number): string {
  const end = samples.at(-1)?.seconds ?? 1;
  const points = samples.map((sample) => {
    const x = LEFT + (sample.seconds / end) * PLOT_WIDTH;
    const y = PANEL_HEIGHT - (value(sample) / highest) * PANEL_HEIGHT;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return points.join(' ');
}

function panelOf({ title, lines }: Panel, samples: readonly Sample[], index: number): string {
  const highest = Math.max(1, ...samples.flatMap((sample) => lines.map(({ value }) => value(sample)))) * 1.05;
  const names = lines
    .map(
      ({ name, color }, n) =>
        `<text x="${WIDTH - RIGHT - n * 110}" y="-8" text-anchor="end" fill="${color}">${name}</text>`,
    )
    .join('');
  const curves = lines
    .map(
      (line) =>
        `<polyline fill="none" stroke="${line.color}" stroke-width="1.5" points="${pathOf(line, samples, highest)}"/>`,
    )
    .join('\n    ');
  const warm = LEFT + PLOT_WIDTH / 6;
  return `  <g transform="translate(0 ${TOP + index * (PANEL_HEIGHT + GAP)})">
    <text x="${LEFT}" y="-8" font-weight="600">${title}</text>${names}
    <rect x="${LEFT}" width="${PLOT_WIDTH}" height="${PANEL_HEIGHT}" fill="none" stroke="#ccc"/>
    <line x1="${warm}" x2="${warm}" y2="${PANEL_HEIGHT}" stroke="#999" stroke-dasharray="3 3"/>
    <text x="${LEFT - 6}" y="10" text-anchor="end">${highest.toFixed(0)}</text>
    <text x="${LEFT - 6}" y="${PANEL_HEIGHT}" text-anchor="end">0</text>
    ${curves}
  </g>`;
}

/** Curves over time; the dashed line ends the first sixth. */
export function plot(samples: readonly Sample[]): string {
  const height = TOP + panels.length * (PANEL_HEIGHT + GAP);
  const minutes = (samples.at(-1)?.seconds ?? 0) / 60;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#222">
  <rect width="${WIDTH}" height="${height}" fill="#fff"/>
${panels.map((panel, index) => panelOf(panel, samples, index)).join('\n')}
  <text x="${WIDTH - RIGHT}" y="${height - 24}" text-anchor="end">${minutes.toFixed(0)} min</text>
</svg>
`;
}
