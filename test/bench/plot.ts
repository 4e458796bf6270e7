import type { Result } from './measure.js';

const width = 860;
const rowHeight = 26;
const left = 290;
const scale = 440;
const top = 44;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Ratios to the floors as bars, targets as ticks. */
export function plot(results: readonly Result[]): string {
  const height = top + results.length * rowHeight + 16;
  const x = (ratio: number): number => left + Math.min(ratio, 1.25) * scale;
  const bars = results.map(({ scenario, ratio, own }, index) => {
    const y = top + index * rowHeight;
    const isReached = ratio >= scenario.target;
    return `  <text x="${left - 8}" y="${y + 15}" text-anchor="end">${escaped(scenario.name)}</text>
  <rect x="${left}" y="${y + 3}" width="${(x(ratio) - left).toFixed(1)}" height="16" fill="${isReached ? '#2f7d6b' : '#c2703d'}"/>
  <line x1="${x(scenario.target).toFixed(1)}" x2="${x(scenario.target).toFixed(1)}" y1="${y}" y2="${y + 22}" stroke="#222" stroke-width="2"/>
  <text x="${(x(Math.max(ratio, scenario.target)) + 6).toFixed(1)}" y="${y + 15}">${ratio.toFixed(2)} · ${Math.round(own.requestsPerSecond).toLocaleString('en-US')}/s</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#222">
  <rect width="${width}" height="${height}" fill="#fff"/>
  <text x="${left}" y="20" font-weight="600">Requests a second as a part of the floor's; the tick is the target</text>
  <line x1="${x(1)}" x2="${x(1)}" y1="${top - 12}" y2="${height - 12}" stroke="#999" stroke-dasharray="3 3"/>
  <text x="${x(1)}" y="${top - 14}" text-anchor="middle" fill="#666">floor</text>
${bars.join('\n')}
</svg>
`;
}
