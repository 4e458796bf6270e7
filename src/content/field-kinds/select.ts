import type { FieldSettings } from '../../../contracts/content/fields/field-kinds.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { defineKind } from './define-kind.js';
import { problem, type Problem } from '../model/problem.js';

function optionValues(field: FieldDefinition): string[] {
  return (field.settings as FieldSettings<'select'>).options.map(({ value }) => value);
}

function checkDuplicates(field: FieldDefinition): Problem[] {
  const values = optionValues(field);
  return values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [
          {
            path: ['settings', 'options', index, 'value'],
            code: 'duplicate_option',
            message: 'Another option has this value.',
          },
        ],
  );
}

/** One of the options in the settings, by its value. */
export const select = defineKind({
  checkShape: (value, field) => {
    if (typeof value !== 'string') return problem('invalid_type', 'The value must be a string.');
    return optionValues(field).includes(value)
      ? []
      : problem('unknown_option', 'The value is not one of the options.');
  },
  checkOptions: checkDuplicates,
  titles: 'chosen',
  comparison: 'string',
  graphqlType: 'String',
  valueClass: 'line',
});
