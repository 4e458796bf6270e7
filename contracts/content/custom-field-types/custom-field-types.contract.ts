import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, namedPaging } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  CustomFieldType,
  customFieldTypeChange,
  customFieldTypeInput,
  CustomFieldTypeWarning,
} from './custom-field-type.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Custom field types'];
const apiName = inPath('apiName of the custom field type.', 'money');
const withWarnings = z.object({
  data: CustomFieldType,
  meta: z
    .object({ warnings: z.array(CustomFieldTypeWarning) })
    .optional()
    .meta({ description: 'Warnings about fields and entries affected by the change.' }),
});

export const customFieldTypes = {
  list: management({
    openapi: managementRoute('GET', '/custom-field-types', {
      summary: 'List custom field types',
      description:
        'Returns every custom field type with its JSON Schema, most recently updated first by default.',
      tags,
    }),
    resource: 'customFieldTypes',
    action: 'read',
  })
    .input(
      inProject({
        ...namedPaging,
      }),
    )
    .output(listOf(CustomFieldType)),

  create: management({
    openapi: managementRoute('POST', '/custom-field-types', {
      summary: 'Create a custom field type',
      description:
        'Creates a field type from a JSON Schema 2020-12. Fields of the kind `custom` refer to it by name. With `graphqlTypeName`, values have their own type in GraphQL.',
      tags,
      success: { status: 201, location: '/custom-field-types/{apiName}' },
    }),
    resource: 'customFieldTypes',
    action: 'create',
    errors: ['api_name_conflict', 'graphql_type_name_conflict', 'limit_reached', 'schema_too_complex'],
  })
    .input(inProject(customFieldTypeInput))
    .output(withWarnings),

  get: management({
    openapi: managementRoute('GET', '/custom-field-types/{apiName}', {
      summary: 'Get a custom field type',
      description: 'Returns one custom field type with its JSON Schema.',
      tags,
    }),
    resource: 'customFieldTypes',
    action: 'read',
    errors: ['custom_field_type_not_found'],
  })
    .input(inProject({ apiName }))
    .output(dataOf(CustomFieldType)),

  update: management({
    openapi: managementRoute('PUT', '/custom-field-types/{apiName}', {
      summary: 'Update a custom field type',
      description:
        'Updates the given properties; null clears one. Values that do not match a new schema are kept and listed in `meta.warnings`; their entries cannot be published until the values are fixed.',
      tags,
    }),
    resource: 'customFieldTypes',
    action: 'update',
    errors: [
      'custom_field_type_not_found',
      'graphql_type_name_conflict',
      'no_update_fields',
      'schema_too_complex',
    ],
  })
    .input(inProject({ apiName, ...customFieldTypeChange }))
    .output(withWarnings),

  delete: management({
    openapi: managementRoute('DELETE', '/custom-field-types/{apiName}', {
      summary: 'Delete a custom field type',
      description:
        'Deletes a custom field type. Fails with 409 and the fields in `details` if any field uses it.',
      tags,
    }),
    resource: 'customFieldTypes',
    action: 'delete',
    confirmation: 'always',
    errors: ['custom_field_type_not_found', 'custom_field_type_in_use'],
  })
    .input(inProject({ apiName }))
    .output(z.object({ data: Deleted })),
};
