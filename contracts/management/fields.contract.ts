import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../envelopes.js';
import { limits } from '../limits.js';
import { inProject, management, managementRoute } from '../operation.js';
import { inPath, orderBy, paging } from '../primitives.js';
import { Field, fieldChange, flatFieldInput } from '../resources/field.js';

const tags = ['Fields'];
const contentTypeApiName = inPath('apiName of the content type.', 'article');
const fieldApiName = inPath('apiName of the field.', 'title');
/** Outside, the type stands in the path as `{apiName}`, beside a field's `apiName` in the body. */
const published = { contentTypeApiName: 'apiName' };

/** Lists the fields of a type; a page holds them all by default (decisions 2.29). */
export const listFields = management({
  openapi: managementRoute('GET', '/content-types/{contentTypeApiName}/fields', {
    summary: 'List the fields of a content type',
    description: 'Fields in their order of position.',
    tags,
    published,
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
        .meta({ description: 'Items on a page.', example: 100 }),
      orderBy: orderBy(['position', 'name', 'createdAt', 'updatedAt'], 'position:asc'),
    }),
  )
  .output(listOf(Field));

/** Adds a field to a type. */
export const createField = management({
  openapi: managementRoute('POST', '/content-types/{contentTypeApiName}/fields', {
    summary: 'Add a field',
    description:
      'Adds a field at its `position`, or last. `settings` and `validations` are those of the field kind.',
    tags,
    published,
    success: { status: 201, location: '/content-types/{contentTypeApiName}/fields/{apiName}' },
  }),
  resource: 'contentTypes',
  action: 'update',
  errors: [
    'content_type_not_found',
    'custom_field_type_not_found',
    'api_name_conflict',
    'reserved_api_name',
    'field_not_found',
    'limit_reached',
  ],
})
  .input(inProject({ contentTypeApiName, ...flatFieldInput }))
  .output(dataOf(Field));

/** Changes a field; a change of kind only where every value can follow. */
export const updateField = management({
  openapi: managementRoute('PUT', '/content-types/{contentTypeApiName}/fields/{fieldApiName}', {
    summary: 'Update a field',
    description:
      'Changes the keys that are given. A new `type` must be compatible; `localized` and `isList` change only while no entry holds a value.',
    tags,
    published,
  }),
  resource: 'contentTypes',
  action: 'update',
  errors: [
    'content_type_not_found',
    'custom_field_type_not_found',
    'field_not_found',
    'incompatible_type_change',
    'field_in_use',
    'no_update_fields',
  ],
})
  .input(inProject({ contentTypeApiName, fieldApiName, ...fieldChange }))
  .output(dataOf(Field));

/** Deletes a field, with its values where `force` says so. */
export const deleteField = management({
  openapi: managementRoute('DELETE', '/content-types/{contentTypeApiName}/fields/{fieldApiName}', {
    summary: 'Delete a field',
    description:
      'Refused with 409 while entries hold values, unless `force=true` removes them from drafts and published documents.',
    tags,
    published,
  }),
  resource: 'contentTypes',
  action: 'update',
  errors: ['content_type_not_found', 'field_not_found', 'field_in_use'],
})
  .input(
    inProject({
      contentTypeApiName,
      fieldApiName,
      force: z.boolean().default(false).meta({ description: 'Delete the values, too.', example: false }),
    }),
  )
  .output(dataOf(Deleted));
