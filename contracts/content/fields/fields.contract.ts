import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { ApiName, inPath, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Field, fieldChange, flatFieldInput } from './field.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Fields'];
const contentTypeApiName = inPath('apiName of the content type.', 'article');
const fieldApiName = inPath('apiName of the field.', 'title');
/** The public path has `{apiName}`; the body has the `apiName` of the field. */
const pathAliases = { contentTypeApiName: 'apiName' };

export const fields = {
  list: management({
    openapi: managementRoute('GET', '/content-types/{contentTypeApiName}/fields', {
      summary: 'List the fields of a content type',
      description: 'Returns the fields of a content type ordered by position.',
      tags,
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'read',
    errors: ['content_type_not_found'],
  })
    .input(
      inProject({
        contentTypeApiName,
        ...paging,
        limit: paging.limit
          .unwrap()
          .default(limits.pageLimitMaximum)
          .meta({ description: 'Items per page.', example: 100 }),
        orderBy: orderBy(['position', 'name', 'createdAt', 'updatedAt'], 'position:asc'),
      }),
    )
    .output(listOf(Field)),

  create: management({
    openapi: managementRoute('POST', '/content-types/{contentTypeApiName}/fields', {
      summary: 'Add a field',
      description:
        'Adds a field at `position`, or at the end. `settings` and `validations` depend on the field kind.',
      tags,
      pathAliases,
      success: { status: 201, location: '/content-types/{contentTypeApiName}/fields/{apiName}' },
    }),
    resource: 'contentTypes',
    action: 'update',
    events: ['content_type.updated'],
    errors: [
      'schema_too_complex',
      'content_type_not_found',
      'custom_field_type_not_found',
      'api_name_conflict',
      'reserved_api_name',
      'field_not_found',
      'limit_reached',
    ],
  })
    .input(inProject({ contentTypeApiName, ...flatFieldInput }))
    .output(dataOf(Field)),

  get: management({
    openapi: managementRoute('GET', '/content-types/{contentTypeApiName}/fields/{fieldApiName}', {
      summary: 'Get a field',
      description: 'Returns one field of a content type.',
      tags,
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'read',
    errors: ['content_type_not_found', 'field_not_found'],
  })
    .input(inProject({ contentTypeApiName, fieldApiName }))
    .output(dataOf(Field)),

  update: management({
    openapi: managementRoute('PUT', '/content-types/{contentTypeApiName}/fields/{fieldApiName}', {
      summary: 'Update a field',
      description:
        'Updates the given properties. A new `type` must be compatible. A new `isList` or `localized` converts the values: one value becomes the first of a list, a shared value that of every locale; back, the first of a list and the value of the default locale remain. Fails with 409 if that loses values, with their number in `details.lost`, unless `allowDestructive` is true.',
      tags,
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'update',
    events: ['content_type.updated'],
    confirmation: { key: 'allowDestructive', values: ['true'] },
    errors: [
      'schema_too_complex',
      'content_type_not_found',
      'custom_field_type_not_found',
      'field_not_found',
      'incompatible_type_change',
      'field_in_use',
      'no_update_fields',
    ],
  })
    .input(
      inProject({
        contentTypeApiName,
        fieldApiName,
        ...fieldChange,
        allowDestructive: z
          .boolean()
          .default(false)
          .meta({ description: 'Convert values although some are lost.', example: false }),
      }),
    )
    .output(dataOf(Field)),

  delete: management({
    openapi: managementRoute('DELETE', '/content-types/{contentTypeApiName}/fields/{fieldApiName}', {
      summary: 'Delete a field',
      description:
        'Deletes a field. Fails with 409 while entries have values, unless `force=true` removes them from drafts and published documents.',
      tags,
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'update',
    events: ['content_type.updated'],
    confirmation: 'always',
    errors: ['content_type_not_found', 'field_not_found', 'field_in_use'],
  })
    .input(
      inProject({
        contentTypeApiName,
        fieldApiName,
        force: z.boolean().default(false).meta({ description: 'Also delete the values.', example: false }),
      }),
    )
    .output(dataOf(Deleted)),

  rename: management({
    openapi: managementRoute('POST', '/content-types/{contentTypeApiName}/fields/{fieldApiName}/rename', {
      summary: 'Rename a field',
      description:
        'Changes the apiName of a field without data loss. Values in drafts and published documents, `displayField` and `sourceField` are updated. Statuses and version numbers do not change; earlier versions use the new name.',
      tags: ['Fields'],
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'update',
    events: ['content_type.updated'],
    errors: ['content_type_not_found', 'field_not_found', 'api_name_conflict', 'reserved_api_name'],
  })
    .input(
      inProject({
        contentTypeApiName,
        fieldApiName: inPath('apiName of the field.', 'title'),
        apiName: ApiName,
      }),
    )
    .output(dataOf(Field)),
};
