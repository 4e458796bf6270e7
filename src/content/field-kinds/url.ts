import { limits } from '../../../contracts/limits.js';
import { addressKind } from './string-kind.js';

/** Excludes what URL parsers would silently drop or correct. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(value) && URL.canParse(value);
}

/** An absolute http or https URL, which can be longer than a short text. */
export const url = addressKind({
  lengthMaximum: limits.urlLength,
  isValid: isWebAddress,
  what: 'an absolute http or https URL',
  valueClass: 'longLine',
});
