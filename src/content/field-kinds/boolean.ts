import { defineKind } from './define-kind.js';
import { problem } from '../model/problem.js';

/** True or false. False is a value: it satisfies `required`. */
export const boolean = defineKind({
  checkShape: (value) =>
    typeof value === 'boolean' ? [] : problem('invalid_type', 'The value must be true or false.'),
  comparison: 'boolean',
  graphqlType: 'Boolean',
});
