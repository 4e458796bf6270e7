import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Test files that start processes or wait for limits. */
const SLOW = /[\\/]test[\\/](?:cli|documentation|examples|faults|operations|rate)[\\/]|opensearch|schedules/;

/**
 * Starts slow test files first, so that none of them runs alone at the end. Jest does this itself only where it remembers how
 * long each file took, which it does not in a fresh clone.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isSlow = ({ path, duration }) => duration === undefined && SLOW.test(path);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
