import { defineKind } from './define-kind.js';
import type { FieldKindRules, ValueClass } from './rules.js';
import { problem } from '../model/problem.js';
import { checkPatternOptions, checkPatternRule, checkStringShape } from './string-rules.js';

interface AddressKind {
  readonly lengthMaximum: number;
  readonly isValid: (value: string) => boolean;
  /** Completes "The value must be …". */
  readonly what: string;
  readonly valueClass: ValueClass;
}

/** A kind of strings in a fixed format. */
export function addressKind({ lengthMaximum, isValid, what, valueClass }: AddressKind): FieldKindRules {
  return defineKind({
    checkShape: (value) => {
      const problems = checkStringShape(value, lengthMaximum);
      return problems.length > 0 || isValid(value as string)
        ? problems
        : problem('invalid_format', `The value must be ${what}.`);
    },
    checkRules: checkPatternRule,
    checkOptions: (field) => checkPatternOptions(field, lengthMaximum),
    titles: 'chosen',
    comparison: 'string',
    graphqlType: 'String',
    valueClass,
  });
}
