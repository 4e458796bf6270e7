/** Whether checks are complete, as in `npm run test:long`; otherwise they take samples. */
export const isLongRun = process.env.HEADWATER_TEST_EXTENT === 'all';

/** How often something is tried. */
export const sampled = (few: number, all: number): number => (isLongRun ? all : few);

/** All, or some of them at equal distances: always the first and the last. */
export function sampleOf<Item>(all: readonly Item[], few: number): readonly Item[] {
  if (isLongRun || all.length <= few) return all;
  const step = (all.length - 1) / (few - 1);
  return all.filter((_item, index) => Math.round(Math.round(index / step) * step) === index);
}

/** Defines tests for the long run alone. */
export function inLongRun(define: () => void): void {
  if (isLongRun) define();
}
