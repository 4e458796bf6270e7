import { z } from 'zod';
import type { FieldKind } from '../../../contracts/resources/field-kinds.js';
import { limits } from '../../../contracts/limits.js';
import { defineKind } from './define-kind.js';
import type { FieldKindRules } from './rules.js';
import { problem } from '../model/problem.js';
import { checkPatternOptions, checkPatternRule, checkTextShape } from './text.js';

/** The longest address that mail can be sent to (RFC 5321, section 4.5.3.1.3). */
const emailLength = 254;

const emailFormat = z.email();

/** An absolute address as browsers read it, without what they would silently drop or mend. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(value) && URL.canParse(value);
}

interface AddressKind {
  readonly lengthMaximum: number;
  readonly isGood: (value: string) => boolean;
  readonly what: string;
  readonly canBecome: readonly FieldKind[];
}

function addressKind({ lengthMaximum, isGood, what, canBecome }: AddressKind): FieldKindRules {
  return defineKind({
    checkShape: (value) => {
      const problems = checkTextShape(value, lengthMaximum);
      return problems.length > 0 || isGood(value as string)
        ? problems
        : problem('invalid_format', `The value must be ${what}.`);
    },
    checkRules: checkPatternRule,
    checkOptions: (field) => checkPatternOptions(field, lengthMaximum),
    canBecome,
  });
}

/** An absolute http or https address, which can be longer than a text. */
export const url = addressKind({
  lengthMaximum: limits.urlLength,
  isGood: isWebAddress,
  what: 'an absolute http or https address',
  canBecome: ['longText'],
});

/** An e-mail address. */
export const email = addressKind({
  lengthMaximum: emailLength,
  isGood: (value) => emailFormat.safeParse(value).success,
  what: 'an e-mail address',
  canBecome: ['text', 'longText'],
});
