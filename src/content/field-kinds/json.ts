import { checkExactValue } from '../exact-json.js';
import { defineKind } from './define-kind.js';

/** Any JSON value. */
export const json = defineKind({
  checkShape: (value) => checkExactValue(value).map((issue) => ({ ...issue, path: [...issue.path] })),
});
