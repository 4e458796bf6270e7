import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, namedPaging } from '../../primitives.js';
import {
  CustomFieldType,
  customFieldTypeChange,
  customFieldTypeInput,
  CustomFieldTypeWarning,
} from './custom-field-type.js';
import { inProject } from '../../routes.js';

const tags = ['Custom field types'];
const apiName = inPath('apiName of the custom field type.', 'money');
const withWarnings = z.object({
  data: CustomFieldType,
  meta: z
    .object({ warnings: z.array(CustomFieldTypeWarning) })
    .optional()
    .meta({ description: 'Warnings about fields and entries affected by the change.' }),
});

const crud = crudOf({
  path: '/custom-field-types',
  key: 'apiName',
  resource: 'customFieldTypes',
  tags,
  notFound: 'custom_field_type_not_found',
});

export const customFieldTypes = {
  list: crud
    .list({
      summary: 'List custom field types',
      description:
        'Returns every custom field type with its JSON Schema, most recently updated first by default.',
    })
    .input(
      inProject({
        ...namedPaging,
      }),
    )
    .output(listOf(CustomFieldType)),

  create: crud
    .create({
      summary: 'Create a custom field type',
      description:
        'Creates a field type from a JSON Schema 2020-12. Fields of the kind `custom` refer to it by name. With `graphqlTypeName`, values have their own type in GraphQL.',
      errors: ['api_name_conflict', 'graphql_type_name_conflict', 'limit_reached', 'schema_too_complex'],
    })
    .input(inProject(customFieldTypeInput))
    .output(withWarnings),

  get: crud
    .get({
      summary: 'Get a custom field type',
      description: 'Returns one custom field type with its JSON Schema.',
    })
    .input(inProject({ apiName }))
    .output(dataOf(CustomFieldType)),

  update: crud
    .update({
      summary: 'Update a custom field type',
      description:
        'Updates the given properties; null clears one. Values that do not match a new schema are kept and listed in `meta.warnings`; their entries cannot be published until the values are fixed.',
      errors: ['graphql_type_name_conflict', 'schema_too_complex'],
    })
    .input(inProject({ apiName, ...customFieldTypeChange }))
    .output(withWarnings),

  delete: crud
    .delete({
      summary: 'Delete a custom field type',
      description:
        'Deletes a custom field type. Fails with 409 and the fields in `details` if any field uses it.',
      errors: ['custom_field_type_in_use'],
    })
    .input(inProject({ apiName }))
    .output(z.object({ data: Deleted })),
};
