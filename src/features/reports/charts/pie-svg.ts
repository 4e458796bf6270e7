import { palette, type ShownChart } from './chart.js';

const RADIUS = 150;
export const PIE_HEIGHT = 2 * RADIUS + 20;

/** Slices as a group around its origin. */
export async function pieSvg({ points }: ShownChart): Promise<string> {
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
