import { limits } from '../../../contracts/limits.js';
import { textKind } from './string-kind.js';

/** Text of any number of lines. The contract declares neither `in` nor `forbiddenPattern` for it. */
export const longText = textKind(limits.longTextLength, { titles: 'chosen', accepts: ['line', 'longLine'] });
