import type { FilterOperator } from '../../../../contracts/publishing/delivery/parameters.js';
import { isDate, isInstant, splitList } from '../../../../contracts/primitives.js';
import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { kindOf, type Comparison } from '../../../content/field-kinds/index.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';

/** System keys of an entry that lists filter by (rule delivery/filters). */
export type SystemKey = '_slug' | '_id' | '_publishedAt';

interface SystemKeyRule {
  /** SQL type of the compared values. */
  readonly type: 'text' | 'uuid' | 'timestamptz';
  readonly comparison: 'string' | 'id' | 'time';
  readonly operators: readonly FilterOperator[];
}

const equality: readonly FilterOperator[] = ['eq', 'ne', 'in', 'nin', 'exists'];
const order: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte'];

export const systemKeys: Readonly<Record<SystemKey, SystemKeyRule>> = {
  _slug: { type: 'text', comparison: 'string', operators: [...equality, ...order, 'contains'] },
  _id: { type: 'uuid', comparison: 'id', operators: equality },
  _publishedAt: { type: 'timestamptz', comparison: 'time', operators: [...equality, ...order] },
};

export const isSystemKey = (name: string): name is SystemKey => Object.hasOwn(systemKeys, name);

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

const where =
  (isReadable: (text: string) => boolean) =>
  (text: string): string | undefined =>
    isReadable(text) ? text : undefined;

function dateOf(text: string): string | undefined {
  if (isDate(text)) return text;
  return isInstant(text) ? new Date(text).toISOString().slice(0, 10) : undefined;
}

/** The value of a condition as it is compared; undefined for a text that is no value of the kind. */
export const comparedValue: Readonly<Record<Comparison | 'id', (text: string) => string | undefined>> = {
  id: where(isUuid),
  string: (text) => text.normalize('NFC'),
  link: (text) => text,
  number: where((text) => NUMBER.test(text) && Number.isFinite(Number(text))),
  boolean: where((text) => text === 'true' || text === 'false'),
  date: dateOf,
  time: where(isInstant),
};

/** Completes "Must be a …". */
export const comparedWhat: Readonly<Record<Comparison | 'id', string>> = {
  id: 'valid id',
  string: 'string',
  link: 'link',
  number: 'number',
  boolean: 'boolean',
  date: 'date such as 2026-03-01, or a time with an offset or Z',
  time: 'time with an offset or Z, such as 2026-03-01T09:30:00Z',
};

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

type Given = string | readonly string[];
export type FilterInput = Readonly<Record<string, Readonly<Partial<Record<string, Given | undefined>>>>>;

const onlyFor: Readonly<Partial<Record<FilterOperator, readonly Comparison[]>>> = {
  gt: ['string', 'number', 'date', 'time'],
  gte: ['string', 'number', 'date', 'time'],
  lt: ['string', 'number', 'date', 'time'],
  lte: ['string', 'number', 'date', 'time'],
};

const unknownField = (name: string): string =>
  isSystemKey(`_${name}`) ? `Unknown field ${name}. Did you mean _${name}?` : `Unknown field ${name}.`;

function refuse(field: string, operator: string, message: string): never {
  throw invalidInput({ path: ['filter', field, operator], code: 'invalid_filter', message });
}

function valuesOf(operator: FilterOperator, given: Given): readonly string[] {
  if (typeof given !== 'string') return given;
  return operator === 'in' || operator === 'nin' ? splitList(given) : [given];
}

function comparedValues(
  name: string,
  [operator, value]: [FilterOperator, Given],
  comparison: Comparison | 'id',
): string[] {
  const what = operator === 'exists' ? 'true or false' : `a ${comparedWhat[comparison]}`;
  return valuesOf(operator, value).map(
    (text) => comparedValue[comparison](text) ?? refuse(name, operator, `Must be ${what}.`),
  );
}

function systemConditionOf(key: SystemKey, [operator, value]: [FilterOperator, Given]): SystemCondition {
  const { comparison, operators } = systemKeys[key];
  if (!operators.includes(operator)) refuse(key, operator, `${key} cannot be compared with ${operator}.`);
  const values = comparedValues(key, [operator, value], operator === 'exists' ? 'boolean' : comparison);
  return { key, operator, values };
}

function conditionOf(
  field: FieldDefinition | undefined,
  name: string,
  compared: [FilterOperator, Given],
): Condition {
  if (isSystemKey(name)) return systemConditionOf(name, compared);
  const [operator] = compared;
  if (field === undefined) return refuse(name, operator, unknownField(name));
  const { type, isList } = field;
  const { comparison } = kindOf(field);
  if (operator === 'exists') {
    const values = comparedValues(name, compared, 'boolean');
    return { apiName: name, isList, comparison: comparison ?? 'string', operator, values };
  }
  if (comparison === null)
    return refuse(name, operator, `Fields of type ${type} cannot be filtered by value.`);
  if (!(onlyFor[operator]?.includes(comparison) ?? true))
    refuse(name, operator, `Fields of type ${type} have no order.`);
  if (operator === 'contains' && comparison !== 'string' && !isList)
    refuse(name, operator, `Fields of type ${type} do not support contains.`);
  const values = comparedValues(name, compared, comparison);
  return { apiName: name, isList, comparison, operator, values };
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
