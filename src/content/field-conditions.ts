import { conditionsOf, testsIn, type FieldTest } from '../../contracts/content/fields/field-conditions.js';
import type { InputIssue } from '../../contracts/errors.js';
import { checkShapeOf } from './field-kinds/define-kind.js';
import { kindOf } from './field-kinds/index.js';
import { valueIn, type FieldDefinition, type FieldValues } from './model/field-definition.js';
import { under, type Problem } from './model/problem.js';

const places = [
  ['settings', 'visibleWhen'],
  ['validations', 'requiredWhen'],
] as const;

/** Comparisons whose values are written as they are stored. */
const comparable: readonly unknown[] = ['string', 'number', 'boolean'];

const one = (code: string, message: string): Problem[] => [{ path: [], code, message }];

/** The values that a test compares, with their paths. */
const comparedIn = ({ eq, ne, in: any = [] }: FieldTest): [path: (string | number)[], value: unknown][] => [
  ...(eq === undefined ? [] : [[['eq'], eq] as [string[], unknown]]),
  ...(ne === undefined ? [] : [[['ne'], ne] as [string[], unknown]]),
  ...any.map((value, index): [(string | number)[], unknown] => [['in', index], value]),
];

/** A test must name another field of the type, and compare it with a value that it can have. */
function checkTest(test: FieldTest, own: string, fields: readonly FieldDefinition[]): Problem[] {
  const field = fields.find(({ apiName }) => apiName === test.field);
  if (test.field === own) return under(one('own_field', 'A field cannot depend on itself.'), 'field');
  if (field === undefined) return under(one('unknown_field', `Unknown field ${test.field}.`), 'field');
  if (test.exists !== undefined) return [];
  const kind = kindOf(field);
  if (!comparable.includes(kind.comparison) || kind.storedKey !== null)
    return under(
      one('not_comparable', `${test.field} can only be tested with exists.`),
      ...(comparedIn(test)[0]?.[0] ?? []),
    );
  const item = { ...field, isList: false };
  return comparedIn(test).flatMap(([path, value]) => {
    const misshapen = checkShapeOf(value, item, kind.checkShape);
    return under(misshapen.length > 0 ? misshapen : kind.checkRules(value, item), ...path);
  });
}

/** Checks the conditions of a field (rule content/conditions). Paths start at the field. */
export function checkConditions(field: FieldDefinition, fields: readonly FieldDefinition[]): InputIssue[] {
  return places.flatMap(([options, name]) =>
    (testsIn(field[options][name]) ?? []).flatMap((test, index) =>
      under(checkTest(test, field.apiName, fields), options, name, index),
    ),
  );
}

/** Whether a field is visible and required beside the values of its entry or block. */
export function conditionsIn(
  field: FieldDefinition,
  fields: readonly FieldDefinition[],
  values: FieldValues,
): ReturnType<typeof conditionsOf> {
  return conditionsOf(field, (name) => {
    const other = fields.find(({ apiName }) => apiName === name);
    const value = valueIn(values, name);
    return other === undefined || value === null || kindOf(other).isEmpty(value) ? undefined : value;
  });
}

interface NamingOptions {
  readonly sourceField?: unknown;
  readonly visibleWhen?: unknown;
  readonly requiredWhen?: unknown;
}

function mapTests(option: unknown, map: (field: string) => string | undefined): FieldTest[] | undefined {
  const mapped = (testsIn(option) ?? []).flatMap((test) => {
    const field = map(test.field);
    return field === undefined ? [] : [{ ...test, field }];
  });
  return mapped.length > 0 ? mapped : undefined;
}

/**
 * The settings or validations of a field with other names for the fields of its type that they name.
 * @param map returns the name to use, undefined to omit what names the field
 */
export function mapNamedFields<O extends object>(options: O, map: (field: string) => string | undefined): O {
  const { sourceField, visibleWhen, requiredWhen, ...others } = options as NamingOptions;
  const named = {
    sourceField: typeof sourceField === 'string' ? map(sourceField) : undefined,
    visibleWhen: mapTests(visibleWhen, map),
    requiredWhen: mapTests(requiredWhen, map),
  };
  const kept = Object.entries(named).filter(([, value]) => value !== undefined);
  return { ...others, ...Object.fromEntries(kept) } as unknown as O;
}

/** Names of the fields of its type that the options of a field name. */
export function fieldsNamedBy({
  settings,
  validations,
}: {
  readonly settings: object;
  readonly validations: object;
}): string[] {
  const names: string[] = [];
  const note = (name: string): string => {
    names.push(name);
    return name;
  };
  mapNamedFields(settings, note);
  mapNamedFields(validations, note);
  return names;
}
