import { describe, expect, it } from '@jest/globals';
import { useApp } from '../../support/desk.js';
import { stateOf } from '../../support/environment-state.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import {
  createModelProject,
  playRound,
  roundArbitrary,
  startRun,
  type Result,
  shapeArbitrary,
  type Round,
  type Shape,
} from './model/play.js';
import { sampled } from '../../support/extent.js';

const app = useApp();

const plain: Round = {
  edits: [],
  clash: null,
  direction: 'up',
  strategy: 'fail',
  picks: null,
  locales: null,
  includeDependencies: true,
  publish: true,
};
const redirect = { verb: 'redirect', source: '/b', target: '/c' } as const;
const entry = { pick: 3, side: 'branch' } as const;
const rewritten = (value: string): Round => ({
  ...plain,
  picks: [5],
  locales: [value === 'a' ? 'en' : 'de'],
  edits: [
    { verb: 'write', locale: 'en', value, ...entry },
    { verb: 'write', locale: 'de', value, ...entry },
    { verb: 'share', value, ...entry },
  ],
});
const between = [{ verb: 'write', pick: 3, side: 'base', locale: 'en', value: 'b' }] as const;
const branched: Shape = { kind: 'branch', between: [], isFirstOlder: true };
const shapes: readonly Shape[] = [
  branched,
  { kind: 'siblings', between, isFirstOlder: true },
  { kind: 'orphans', between, isFirstOlder: false },
];
const locales = ['a', 'c', 'a', 'b'].map(rewritten);
/** Both sides change a title, or create a redirect for the same path; one locale is promoted after another. */
const examples: [Shape, Round[]][] = [
  ...shapes.map((shape): [Shape, Round[]] => [shape, [{ ...plain, clash: 0 }]]),
  [branched, [{ ...plain, edits: (['branch', 'base'] as const).map((side) => ({ ...redirect, side })) }]],
  ...shapes.map((shape): [Shape, Round[]] => [shape, locales]),
];

describe('promotions against a model', () => {
  verifies('environments/promotion-merge', 'environments/rollback');

  it('merge as the model does, are refused only where it says so, and are undone byte for byte', async () => {
    const results: Result[] = [];
    const project = await createModelProject(app());
    const before = await stateOf(app(), project, 'main');
    const sequences = fc.array(roundArbitrary, { minLength: 1, maxLength: 3, size: 'max' });
    await fc.assert(
      fc.asyncProperty(shapeArbitrary, sequences, async (shape, given) => {
        const run = await startRun(app(), project, shape);
        for (const one of given) results.push(await playRound(run, one));
      }),
      { numRuns: sampled(6, 16), endOnFailure: true, examples },
    );
    expect(await stateOf(app(), project, 'main')).toEqual(before);
    expect(new Set(results)).toEqual(new Set(['promoted', 'conflict', 'refused']));
  }, 120_000);
});
