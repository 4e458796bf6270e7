import { invalidInput } from '../../../contracts/errors.js';
import type { FilterOperator } from '../../../contracts/delivery/filters.js';
import { limits } from '../../../contracts/limits.js';
import type { ContentTypeDefinition, FieldDefinition } from '../../content/catalog.js';

/** What the values of a field compare as. */
type Comparison = 'text' | 'number' | 'boolean' | 'time' | 'link';

/** One comparison of a filter, its values read by the field's kind. */
export interface Condition {
  readonly apiName: string;
  readonly isList: boolean;
  readonly comparison: Comparison;
  readonly operator: FilterOperator;
  /** One value, or several of `in` and `nin`; of `exists` the text true or false. */
  readonly values: readonly string[];
}

/** A filter as the contract lets it in. */
export type FilterInput = Readonly<Record<string, Readonly<Partial<Record<string, string | undefined>>>>>;

const comparisons: Readonly<Record<string, Comparison>> = {
  text: 'text',
  longText: 'text',
  slug: 'text',
  select: 'text',
  url: 'text',
  email: 'text',
  date: 'text',
  color: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  dateTime: 'time',
  reference: 'link',
  blocks: 'link',
};

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;
const TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

const isReadable: Readonly<Record<Comparison, (value: string) => boolean>> = {
  text: () => true,
  link: () => true,
  number: (value) => NUMBER.test(value) && Number.isFinite(Number(value)),
  boolean: (value) => value === 'true' || value === 'false',
  time: (value) => TIME.test(value) && !Number.isNaN(Date.parse(value)),
};

const onlyFor: Readonly<Partial<Record<FilterOperator, readonly Comparison[]>>> = {
  gt: ['text', 'number', 'time'],
  gte: ['text', 'number', 'time'],
  lt: ['text', 'number', 'time'],
  lte: ['text', 'number', 'time'],
};

function refuse(field: string, operator: string, message: string): never {
  throw invalidInput({ path: ['filter', field, operator], code: 'invalid_filter', message });
}

function conditionOf(
  field: FieldDefinition | undefined,
  name: string,
  [operator, value]: [FilterOperator, string],
): Condition {
  if (field === undefined) return refuse(name, operator, `There is no field ${name}.`);
  const comparison = comparisons[field.type];
  const values = operator === 'in' || operator === 'nin' ? value.split(',') : [value];
  if (operator === 'exists') {
    if (!isReadable.boolean(value)) refuse(name, operator, 'Must be true or false.');
    return { apiName: name, isList: field.isList, comparison: comparison ?? 'text', operator, values };
  }
  if (comparison === undefined) return refuse(name, operator, `A ${field.type} field cannot be compared.`);
  if (!(onlyFor[operator]?.includes(comparison) ?? true))
    refuse(name, operator, `A ${field.type} field has no order.`);
  if (operator === 'contains' && comparison !== 'text' && !field.isList)
    refuse(name, operator, `A ${field.type} field contains nothing.`);
  if (!values.every(isReadable[comparison])) refuse(name, operator, `Must be a ${comparison}.`);
  return { apiName: name, isList: field.isList, comparison, operator, values };
}

/**
 * The conditions of a filter on entries of a type.
 * @throws AppError 422 `validation_failed` for fields that do not exist and values that do not compare
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
      message: `A filter has ${String(limits.filterConditions)} conditions at most.`,
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
      message: `${type.apiName} has no such field.`,
    });
}
