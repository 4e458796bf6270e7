import { limits } from '../../../contracts/limits.js';
import { isObject } from '../exact-json/is-object.js';
import { isOwnBlock } from '../model/own-block.js';
import type { FieldDefinition } from '../model/field-definition.js';
import type { Problem } from '../model/problem.js';
import { under } from '../model/problem.js';
import { reference } from './reference.js';
import type { FieldKindRules } from './rules.js';

const ownKeys = ['_ref', '_type', '_externalId', 'fields'];

/** Values of own blocks are checked with those of their types. */
function checkItemShape(value: unknown, field: FieldDefinition): Problem[] {
  if (!isObject(value) || !Object.hasOwn(value, 'fields')) return reference.checkShape(value, field);
  const { _ref, _type, _externalId: external, fields } = value;
  const link = reference.checkShape({ _ref, _type }, field);
  const keys = Object.keys(value).filter((key) => !ownKeys.includes(key));
  return [
    ...link,
    ...keys.flatMap((key) =>
      under(
        [{ path: [], code: 'unknown_key', message: `A block has only the keys ${ownKeys.join(', ')}.` }],
        key,
      ),
    ),
    ...(isObject(fields)
      ? []
      : [{ path: ['fields'], code: 'invalid_type', message: 'The value must be an object.' }]),
    ...(external === undefined || isExternalId(external)
      ? []
      : [{ path: ['_externalId'], code: 'invalid_type', message: 'The external ID must be a short text.' }]),
  ];
}

const isExternalId = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= limits.externalIdLength;

function checkGroup({ settings }: FieldDefinition): Problem[] {
  const { shape, contentTypes } = settings as { shape?: string; contentTypes?: readonly string[] };
  if (shape === undefined || contentTypes?.length === 1) return [];
  const message = 'A group has blocks of one content type.';
  return [{ path: ['settings', 'contentTypes'], code: 'one_type_required', message }];
}

/**
 * Blocks of the entry, `{ _ref, _type, fields }`, and links to shared blocks, stored as a {@link reference} is; always
 * a list. Own blocks are no links: their own values have theirs.
 */
export const blocks: FieldKindRules = {
  ...reference,
  checkOptions: (field) => {
    const problems = reference.checkOptions(field);
    return problems.length > 0 ? problems : checkGroup(field);
  },
  isAlwaysList: true,
  takesBlocks: true,
  checkShape: checkItemShape,
  links: (value) => (isOwnBlock(value) ? [] : reference.links(value)),
  deliver: (value) => (isOwnBlock(value) ? { _ref: value._ref, _type: value._type } : value),
};
