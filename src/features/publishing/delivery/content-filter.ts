import { invalidInput } from '../../../../contracts/errors.js';
import type { FilterOperator } from '../../../../contracts/publishing/delivery/filters.js';
import { limits } from '../../../../contracts/limits.js';
import type { ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { kindOf, type Comparison } from '../../../content/field-kinds/index.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { isSystemKey, systemKeys, type SystemKey } from './system-keys.js';

interface Compared {
  readonly operator: FilterOperator;
  /** Several values for `in` and `nin`; `true` or `false` for `exists`. */
  readonly values: readonly string[];
}

/** A comparison of a field's value. */
export interface FieldCondition extends Compared {
  readonly apiName: string;
  readonly isList: boolean;
  readonly comparison: Comparison;
}

/** A comparison of a system key. */
export interface SystemCondition extends Compared {
  readonly key: SystemKey;
}

/** One comparison of a filter. */
export type Condition = FieldCondition | SystemCondition;

export type FilterInput = Readonly<Record<string, Readonly<Partial<Record<string, string | undefined>>>>>;

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;
/** Within the years and offsets that PostgreSQL accepts. */
const TIME =
  /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])$/;

const isReadable: Readonly<Record<Comparison | 'id', (value: string) => boolean>> = {
  id: isUuid,
  string: () => true,
  link: () => true,
  number: (value) => NUMBER.test(value) && Number.isFinite(Number(value)),
  boolean: (value) => value === 'true' || value === 'false',
  time: (value) => TIME.test(value) && !Number.isNaN(Date.parse(value)),
};

const onlyFor: Readonly<Partial<Record<FilterOperator, readonly Comparison[]>>> = {
  gt: ['string', 'number', 'time'],
  gte: ['string', 'number', 'time'],
  lt: ['string', 'number', 'time'],
  lte: ['string', 'number', 'time'],
};

const unknownField = (name: string): string =>
  isSystemKey(`_${name}`) ? `Unknown field ${name}. Did you mean _${name}?` : `Unknown field ${name}.`;

function refuse(field: string, operator: string, message: string): never {
  throw invalidInput({ path: ['filter', field, operator], code: 'invalid_filter', message });
}

const valuesOf = (operator: FilterOperator, value: string): string[] =>
  operator === 'in' || operator === 'nin' ? value.split(',') : [value];

function systemConditionOf(key: SystemKey, [operator, value]: [FilterOperator, string]): SystemCondition {
  const { comparison, operators } = systemKeys[key];
  if (!operators.includes(operator)) refuse(key, operator, `${key} cannot be compared with ${operator}.`);
  const isReadableValue = isReadable[operator === 'exists' ? 'boolean' : comparison];
  const values = valuesOf(operator, value.normalize('NFC'));
  if (!values.every(isReadableValue))
    refuse(
      key,
      operator,
      operator === 'exists' ? 'Must be true or false.' : `Must be a valid ${comparison}.`,
    );
  return { key, operator, values };
}

function conditionOf(
  field: FieldDefinition | undefined,
  name: string,
  [operator, value]: [FilterOperator, string],
): Condition {
  if (isSystemKey(name)) return systemConditionOf(name, [operator, value]);
  if (field === undefined) return refuse(name, operator, unknownField(name));
  const { comparison } = kindOf(field);
  const values = valuesOf(operator, value);
  if (operator === 'exists') {
    if (!isReadable.boolean(value)) refuse(name, operator, 'Must be true or false.');
    return { apiName: name, isList: field.isList, comparison: comparison ?? 'string', operator, values };
  }
  if (comparison === null)
    return refuse(name, operator, `Fields of type ${field.type} cannot be filtered by value.`);
  if (!(onlyFor[operator]?.includes(comparison) ?? true))
    refuse(name, operator, `Fields of type ${field.type} have no order.`);
  if (operator === 'contains' && comparison !== 'string' && !field.isList)
    refuse(name, operator, `Fields of type ${field.type} do not support contains.`);
  if (!values.every(isReadable[comparison])) refuse(name, operator, `Must be a ${comparison}.`);
  return { apiName: name, isList: field.isList, comparison, operator, values };
}

/**
 * Reads a filter on entries of a type.
 * @throws AppError 422 `validation_failed` for unknown fields and values that cannot be compared
 */
export function conditionsOf(
  type: ContentTypeDefinition,
  filter: FilterInput | undefined,
): readonly Condition[] {
  const conditions = Object.entries(filter ?? {}).flatMap(([name, operators]) =>
    Object.entries(operators).flatMap(([operator, value]) =>
      value === undefined
        ? []
        : [
            conditionOf(
              type.fields.find(({ apiName }) => apiName === name),
              name,
              [operator as FilterOperator, value],
            ),
          ],
    ),
  );
  if (conditions.length > limits.filterConditions) {
    throw invalidInput({
      path: ['filter'],
      code: 'too_many',
      message: `A filter can have at most ${String(limits.filterConditions)} conditions.`,
    });
  }
  return conditions;
}

/** @throws AppError 422 for a field that the type does not have */
export function assertFields(type: ContentTypeDefinition, names: readonly string[] | undefined): void {
  const unknown = names?.findIndex((name) => !type.fields.some(({ apiName }) => apiName === name)) ?? -1;
  if (unknown >= 0)
    throw invalidInput({
      path: ['fields', unknown],
      code: 'unknown_field',
      message: `${type.apiName} has no field with this name.`,
    });
}
