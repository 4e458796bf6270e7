import { Id } from '../../../contracts/primitives.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { defineKind } from './define-kind.js';
import type { Link } from './rules.js';
import { problem, type Problem } from '../model/problem.js';

const linkKeys = ['_ref', '_type'];

/** Whether the entry exists is not asked: a draft may link to something missing (decisions 2.29). */
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
      message: 'A link has _ref and _type only.',
    }));
  if (!isId(ref))
    problems.push({
      path: ['_ref'],
      code: 'invalid_format',
      message: 'The id of an entry is a UUID in lower case.',
    });
  return [...problems, ...checkType(type, field)];
}

function checkType(type: unknown, field: FieldDefinition): Problem[] {
  if (type === undefined) return [];
  if (typeof type !== 'string')
    return [{ path: ['_type'], code: 'invalid_type', message: 'The type is an apiName.' }];
  const { contentTypes } = field.settings;
  const isAllowed = !Array.isArray(contentTypes) || contentTypes.includes(type);
  return isAllowed
    ? []
    : [
        {
          path: ['_type'],
          code: 'type_not_allowed',
          message: 'The field does not take entries of this type.',
        },
      ];
}

/** Ids are compared as texts, so they have one spelling. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && value === value.toLowerCase() && Id.safeParse(value).success;
}

/** The one link of a value that has the shape of one. */
function linksOfValue(value: unknown): Link[] {
  const { _ref: id, _type: type = null } = value as { _ref: string; _type?: string };
  return [{ id, type }];
}

/** A link to an entry. Delivered as stored: the service fills `_type` in when it is written. */
export const reference = defineKind({ checkShape: checkLinkShape, links: linksOfValue });
