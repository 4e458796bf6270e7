import { defineKind } from './define-kind.js';
import { problem } from '../model/problem.js';

const format = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A color as `#RRGGBB` or, with opacity, `#RRGGBBAA`; its case is preserved. */
export const color = defineKind({
  checkShape: (value) => {
    if (typeof value !== 'string') return problem('invalid_type', 'The value must be a string.');
    return format.test(value)
      ? []
      : problem('invalid_format', 'The value must be a color such as #1a2b3c or #1a2b3cff.');
  },
  comparison: 'string',
  graphqlType: 'String',
  valueClass: 'line',
});
