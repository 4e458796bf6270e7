import { limits } from '../../../contracts/limits.js';
import { EntrySlug } from '../../../contracts/primitives.js';
import { defineKind } from './define-kind.js';
import { problem } from '../model/problem.js';
import { checkPatternOptions, checkPatternRule } from './string-kind.js';

/** A path segment. The value is stored as written; the entry's slug made from it is NFC. */
export const slug = defineKind({
  checkShape: (value) => {
    if (typeof value !== 'string') return problem('invalid_type', 'The value must be a string.');
    const [issue] = EntrySlug.safeParse(value).error?.issues ?? [];
    return issue ? problem('invalid_format', `The value is not a valid slug: ${issue.message}.`) : [];
  },
  checkRules: checkPatternRule,
  checkOptions: (field) => checkPatternOptions(field, limits.slugLength),
  isTranslatable: true,
  titles: 'chosen',
  givesSlug: true,
  comparison: 'string',
  graphqlType: 'String',
  valueClass: 'line',
});
