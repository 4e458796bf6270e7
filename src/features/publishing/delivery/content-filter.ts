import type { FilterOperator } from '../../../../contracts/publishing/delivery/parameters.js';
import { isDate, isInstant, splitList } from '../../../../contracts/primitives.js';
import { invalidInput, type AppError } from '../../../../contracts/errors.js';
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
export type SingleCondition = FieldCondition | SystemCondition;

/** Conditions of which all, one or none have to match. */
export interface CombinedCondition {
  readonly combine: 'and' | 'or' | 'not';
  readonly parts: readonly Condition[];
}

export type Condition = SingleCondition | CombinedCondition;

type Given = string | readonly string[];
type Compare = readonly [FilterOperator, Given];
/** Where a condition is in the input. */
export type FilterPath = readonly (string | number)[];
export type FilterInput = Readonly<Record<string, Readonly<Partial<Record<string, Given | undefined>>>>>;

const onlyFor: Readonly<Partial<Record<FilterOperator, readonly Comparison[]>>> = {
  gt: ['string', 'number', 'date', 'time'],
  gte: ['string', 'number', 'date', 'time'],
  lt: ['string', 'number', 'date', 'time'],
  lte: ['string', 'number', 'date', 'time'],
};

const unknownField = (name: string): string =>
  isSystemKey(`_${name}`) ? `Unknown field ${name}. Did you mean _${name}?` : `Unknown field ${name}.`;

/** @throws AppError 422 */
export function refuseFilter(path: FilterPath, message: string): never {
  throw invalidInput({ path, code: 'invalid_filter', message });
}

function valuesOf(operator: FilterOperator, given: Given): readonly string[] {
  if (typeof given !== 'string') return given;
  return operator === 'in' || operator === 'nin' ? splitList(given) : [given];
}

function comparedValues(
  [operator, value]: Compare,
  comparison: Comparison | 'id',
  path: FilterPath,
): string[] {
  const what = operator === 'exists' ? 'true or false' : `a ${comparedWhat[comparison]}`;
  return valuesOf(operator, value).map(
    (text) => comparedValue[comparison](text) ?? refuseFilter(path, `Must be ${what}.`),
  );
}

function systemConditionOf(key: SystemKey, [operator, value]: Compare, path: FilterPath): SystemCondition {
  const { comparison, operators } = systemKeys[key];
  if (!operators.includes(operator)) refuseFilter(path, `${key} cannot be compared with ${operator}.`);
  const values = comparedValues([operator, value], operator === 'exists' ? 'boolean' : comparison, path);
  return { key, operator, values };
}

function fieldConditionOf(field: FieldDefinition, compared: Compare, path: FilterPath): FieldCondition {
  const [operator] = compared;
  const { apiName, type, isList } = field;
  const { comparison } = kindOf(field);
  if (operator === 'exists') {
    const values = comparedValues(compared, 'boolean', path);
    return { apiName, isList, comparison: comparison ?? 'string', operator, values };
  }
  if (comparison === null) return refuseFilter(path, `Fields of type ${type} cannot be filtered by value.`);
  if (!(onlyFor[operator]?.includes(comparison) ?? true))
    refuseFilter(path, `Fields of type ${type} have no order.`);
  if (operator === 'contains' && comparison !== 'string' && !isList)
    refuseFilter(path, `Fields of type ${type} do not support contains.`);
  return { apiName, isList, comparison, operator, values: comparedValues(compared, comparison, path) };
}

/**
 * Reads the comparisons of one field or system key, by operator.
 * @param path of the name in the input
 * @throws AppError 422 for an unknown field and for values that cannot be compared
 */
export function comparisonsOf(
  type: ContentTypeDefinition,
  operators: FilterInput[string],
  path: FilterPath,
): SingleCondition[] {
  const name = String(path.at(-1));
  return Object.entries(operators).flatMap(([operator, value]) => {
    if (value === undefined) return [];
    const compared: Compare = [operator as FilterOperator, value];
    const at = [...path, operator];
    if (isSystemKey(name)) return systemConditionOf(name, compared, at);
    const field = type.fields.find(({ apiName }) => apiName === name);
    return field === undefined ? refuseFilter(at, unknownField(name)) : fieldConditionOf(field, compared, at);
  });
}

export const tooManyConditions = (parameter: string): AppError =>
  invalidInput({
    path: [parameter],
    code: 'too_many',
    message: `A filter can have at most ${String(limits.filterConditions)} conditions.`,
  });

/**
 * Reads a filter on entries of a type.
 * @throws AppError 422 `validation_failed` for unknown fields and values that cannot be compared
 */
export function conditionsOf(
  type: ContentTypeDefinition,
  filter: FilterInput | undefined,
): readonly SingleCondition[] {
  const conditions = Object.entries(filter ?? {}).flatMap(([name, operators]) =>
    comparisonsOf(type, operators, ['filter', name]),
  );
  if (conditions.length > limits.filterConditions) throw tooManyConditions('filter');
  return conditions;
}

/** @throws AppError 422 for a field that none of the types has */
export function assertFields(
  types: readonly ContentTypeDefinition[],
  names: readonly string[] | undefined,
): void {
  const isKnown = (name: string): boolean =>
    types.some(({ fields }) => fields.some(({ apiName }) => apiName === name));
  const unknown = names?.findIndex((name) => !isKnown(name)) ?? -1;
  const [type, ...others] = types;
  if (unknown >= 0)
    throw invalidInput({
      path: ['fields', unknown],
      code: 'unknown_field',
      message:
        type !== undefined && others.length === 0
          ? `${type.apiName} has no field with this name.`
          : 'None of these content types has a field with this name.',
    });
}
