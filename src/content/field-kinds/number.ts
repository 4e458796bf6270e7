import { numberKind } from './number-kind.js';

/** Any finite double. */
export const number = numberKind({ isValid: Number.isFinite, what: 'a number', accepts: ['wholeNumber'] });
