import { expect, it } from '@jest/globals';
import { de } from './de/index.js';
import { en } from './en/index.js';

it('German has every text with the same values', () => {
  const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();
  const keys = Object.keys(en) as (keyof typeof en)[];
  expect(keys.filter((key) => valuesIn(en[key]).join() !== valuesIn(de[key]).join())).toEqual([]);
  expect(Object.keys(de)).toHaveLength(keys.length);
});
