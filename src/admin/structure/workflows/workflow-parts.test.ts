import { expect, it } from '@jest/globals';
import { keyFrom, newState, renamed } from './workflow-parts.js';

it('the key of a new state follows its name until another one is typed', () => {
  expect(keyFrom('1. In Review!')).toBe('in_review');
  const state = renamed(newState, 'In review', true);
  expect([state.key, renamed({ ...state, key: 'own' }, 'Other', true).key]).toEqual(['in_review', 'own']);
  expect(renamed(state, 'Other', false).key).toBe('in_review');
});
