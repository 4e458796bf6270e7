import { expect, it } from '@jest/globals';
import { directionOf } from './direction.js';

it('locales of Arabic and Hebrew script are written from right to left', () => {
  const codes = ['en', 'de-AT', 'ar', 'he', 'fa-IR', 'ur', 'az-Arab', 'az', 'not a locale'];
  expect(codes.filter((code) => directionOf(code) === 'rtl')).toEqual(['ar', 'he', 'fa-IR', 'ur', 'az-Arab']);
});
