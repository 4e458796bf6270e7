import { expect, it } from '@jest/globals';
import { newState } from '../structure/workflows/workflow-parts.js';
import { possibleSteps } from './possible-steps.js';

it('the states that several entries can enter are counted over their workflows', () => {
  const workflow = (slug: string) => ({
    slug,
    states: [
      { ...newState, key: 'draft', name: 'Draft' },
      { ...newState, key: 'done', name: slug === 'a' ? 'Done' : 'Finished' },
    ],
    transitions: [{ from: 'draft', to: 'done', requireComment: slug === 'b' }],
  });
  const entry = (slug: string, state: string) => ({ workflow: { slug, state } });
  const workflows = [workflow('a'), workflow('b')] as unknown as Parameters<typeof possibleSteps>[1];
  const entries = [entry('a', 'draft'), entry('b', 'draft'), entry('a', 'done'), { workflow: null }];
  expect(possibleSteps(entries, workflows)).toEqual([
    { to: 'done', name: 'Done, Finished', count: 2, needsComment: true },
  ]);
});
