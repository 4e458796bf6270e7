import { expect, it } from '@jest/globals';
import { matchesWords } from './match-words.js';

it('commands are found by the beginnings of their words, without regard to case and accents', () => {
  const labels = ['New entry: Café menu', 'Types and fields', 'Übersetzungen'];
  const found = (typed: string): string[] => labels.filter((label) => matchesWords(typed, label));
  expect(found('cafe new')).toEqual(['New entry: Café menu']);
  expect(found('FIEL')).toEqual(['Types and fields']);
  expect(found('uber')).toEqual(['Übersetzungen']);
  expect([found('elds'), found('')]).toEqual([[], labels]);
});
