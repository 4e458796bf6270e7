import { Id } from '../../../contracts/primitives.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { defineKind } from './define-kind.js';
import type { Link } from './rules.js';
import { problem, type Problem } from '../model/problem.js';

const linkKeys = ['_ref', '_type'];

/** Existence is not checked: a draft may link to a missing entry (rule content/values). */
function checkLinkShape(value: unknown, field: FieldDefinition): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problem('invalid_type', 'The value must be a link: { _ref, _type }.');
  }
  const { _ref: ref, _type: type } = value as Record<string, unknown>;
  const problems = Object.keys(value)
    .filter((key) => !linkKeys.includes(key))
    .map((key): Problem => ({
      path: [key],
      code: 'unknown_key',
      message: 'A link has only the keys _ref and _type.',
    }));
  if (!isId(ref))
    problems.push({
      path: ['_ref'],
      code: 'invalid_format',
      message: 'The ID of an entry must be a lowercase UUID.',
    });
  return [...problems, ...checkType(type, field)];
}

function checkType(type: unknown, field: FieldDefinition): Problem[] {
  if (type === undefined) return [];
  if (typeof type !== 'string')
    return [
      { path: ['_type'], code: 'invalid_type', message: '_type must be the apiName of a content type.' },
    ];
  const { contentTypes } = field.settings;
  const isAllowed = !Array.isArray(contentTypes) || contentTypes.includes(type);
  return isAllowed
    ? []
    : [
        {
          path: ['_type'],
          code: 'type_not_allowed',
          message: 'The field does not allow entries of this content type.',
        },
      ];
}

/** Ids are compared as strings, so they have one spelling. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && value === value.toLowerCase() && Id.safeParse(value).success;
}

/** Only for values of good shape. */
function linksOfValue(value: unknown): Link[] {
  const { _ref: id, _type: type = null } = value as { _ref: string; _type?: string };
  return [{ id, type }];
}

/** A link to an entry. Delivered as stored: `_type` is set when it is written. */
export const reference = defineKind({
  checkShape: checkLinkShape,
  links: linksOfValue,
  comparison: 'link',
  graphqlType: 'ContentEntry',
});
