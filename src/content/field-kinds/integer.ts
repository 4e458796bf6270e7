import { numberKind } from './number-kind.js';

/** Integers that every client keeps exactly, up to 2^53-1. */
export const integer = numberKind({
  isValid: Number.isSafeInteger,
  what: 'an integer',
  valueClass: 'wholeNumber',
});
