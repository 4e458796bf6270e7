import { limits } from '../../../contracts/limits.js';
import { EntrySlug } from '../../../contracts/primitives.js';
import { defineKind } from './define-kind.js';
import { problem } from '../model/problem.js';
import { checkPatternOptions, checkPatternRule } from './text.js';

/** A path segment. The value is kept as written; what the entry's own slug becomes is NFC. */
export const slug = defineKind({
  checkShape: (value) => {
    if (typeof value !== 'string') return problem('invalid_type', 'The value must be a text.');
    const [issue] = EntrySlug.safeParse(value).error?.issues ?? [];
    return issue ? problem('invalid_format', `The value cannot be a slug: ${issue.message}.`) : [];
  },
  checkRules: checkPatternRule,
  checkOptions: (field) => checkPatternOptions(field, limits.slugLength),
  canBecome: ['text', 'longText'],
});
