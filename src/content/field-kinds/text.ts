import { limits } from '../../../contracts/limits.js';
import { textKind } from './string-kind.js';

/** One line of text. */
export const text = textKind(limits.textLength, { titles: 'first', valueClass: 'line', accepts: ['line'] });
