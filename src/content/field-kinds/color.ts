import { defineKind } from './define-kind.js';
import { problem } from '../model/problem.js';

const format = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A colour as `#RRGGBB` or, with its opacity, `#RRGGBBAA`; kept in the case it was written in. */
export const color = defineKind({
  checkShape: (value) => {
    if (typeof value !== 'string') return problem('invalid_type', 'The value must be a text.');
    return format.test(value)
      ? []
      : problem('invalid_format', 'The value must be a colour such as #1a2b3c or #1a2b3cff.');
  },
  canBecome: ['text', 'longText'],
});
