import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { CustomReport } from '../../../../../contracts/insight/custom-reports/custom-report.js';
import type { Catalog, FieldDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { comparedValue, comparedWhat } from '../../../publishing/delivery/index.js';

const FIELD = 'fields.';
type Definition = Pick<CustomReport, 'source' | 'metrics' | 'groupBy' | 'filters'>;

interface Named {
  readonly path: readonly (string | number)[];
  readonly key: string;
}

function namedKeys({ metrics, groupBy, filters }: Definition): Named[] {
  return [
    ...groupBy.map((key, index) => ({ path: ['groupBy', index], key })),
    ...Object.keys(filters).map((key) => ({ path: ['filters', key], key })),
    ...metrics.map(({ field = '' }, index) => ({ path: ['metrics', index, 'field'], key: field })),
  ].filter(({ key }) => key.startsWith(FIELD));
}

/**
 * Fields by the keys that name them.
 * @throws AppError 422 unless the report is of one type that has the fields, with single comparable values
 */
export function fieldsOf(catalog: Catalog, definition: Definition): ReadonlyMap<string, FieldDefinition> {
  const named = namedKeys(definition);
  if (named.length === 0 || definition.source !== 'entries') return new Map();
  const [name = '', ...others] = definition.filters.contentTypeApiName ?? [];
  if (name === '' || others.length > 0)
    throw invalidInput({
      path: ['filters', 'contentTypeApiName'],
      code: 'content_type_required',
      message: 'Fields require exactly one contentTypeApiName.',
    });
  const type = catalog.contentType(name);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  const fields = named.map(({ path, key }) => {
    const apiName = key.slice(FIELD.length);
    const field = type.fields.find((one) => one.apiName === apiName);
    if (field === undefined)
      throw invalidInput({ path, code: 'unknown_field', message: `Unknown field ${apiName}.` });
    if (field.isList || [null, 'link'].includes(kindOf(field).comparison))
      throw invalidInput({ path, code: 'invalid_field', message: `${apiName} has no single value.` });
    return [key, field] as const;
  });
  return new Map(fields);
}

/**
 * The values that a filter keeps, as they are compared.
 * @throws AppError 422 for a value that the field cannot have
 */
export function filteredValues(
  field: FieldDefinition | undefined,
  key: string,
  values: readonly string[],
): readonly string[] {
  const comparison = field === undefined ? null : kindOf(field).comparison;
  if (comparison === null) return values;
  return values.map((value, index) => {
    const compared = comparedValue[comparison](value);
    if (compared !== undefined) return compared;
    const message = `Must be a ${comparedWhat[comparison]}.`;
    throw invalidInput({ path: ['filters', key, index], code: 'invalid_filter', message });
  });
}
