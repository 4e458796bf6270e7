import { dataOf, Deleted, listOf } from '../envelopes.js';
import { inProject, management, managementRoute } from '../operation.js';
import { inPath, nameContains, orderBy, paging } from '../primitives.js';
import { ContentType, contentTypeChange, contentTypeInput, DeleteCheck } from '../resources/content-type.js';

const tags = ['Content types'];
const apiName = inPath('apiName of the content type.', 'article');

/** Lists the content types of the environment with their fields. */
export const listContentTypes = management({
  openapi: managementRoute('GET', '/content-types', {
    summary: 'List content types',
    description: 'Every content type with its flags and fields, by default the last changed first.',
    tags,
  }),
  mcp: {
    tool: 'list_content_types',
    title: 'List content types',
    description:
      'Lists every content type with its apiName, name and flags. Start here to learn what can be written.',
    readOnly: true,
  },
  resource: 'contentTypes',
  action: 'read',
})
  .input(
    inProject({
      ...paging,
      orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc'),
      q: nameContains,
    }),
  )
  .output(listOf(ContentType));

/** Creates a content type, with fields if they are given. */
export const createContentType = management({
  openapi: managementRoute('POST', '/content-types', {
    summary: 'Create a content type',
    description: 'Creates a content type and its fields in one step. The GraphQL schema follows at once.',
    tags,
    success: { status: 201, location: '/content-types/{apiName}' },
  }),
  resource: 'contentTypes',
  action: 'create',
  errors: [
    'api_name_conflict',
    'graphql_type_name_conflict',
    'reserved_api_name',
    'content_type_not_found',
    'custom_field_type_not_found',
  ],
})
  .input(inProject(contentTypeInput))
  .output(dataOf(ContentType));

/** Reads one content type. */
export const getContentType = management({
  openapi: managementRoute('GET', '/content-types/{apiName}', {
    summary: 'Read a content type',
    description: 'One content type with its full field list.',
    tags,
  }),
  mcp: {
    tool: 'get_content_type',
    title: 'Get content type',
    description:
      'Reads one content type with its full field list: kinds, settings and validations. Read it before writing entries of the type.',
    readOnly: true,
  },
  resource: 'contentTypes',
  action: 'read',
  errors: ['content_type_not_found'],
})
  .input(inProject({ apiName }))
  .output(dataOf(ContentType));

/** Changes a content type; fields have operations of their own. */
export const updateContentType = management({
  openapi: managementRoute('PUT', '/content-types/{apiName}', {
    summary: 'Update a content type',
    description:
      'Changes the keys that are given; an explicit null clears one. `apiName` cannot change here.',
    tags,
  }),
  resource: 'contentTypes',
  action: 'update',
  errors: ['content_type_not_found', 'field_not_found', 'no_update_fields', 'content_type_in_use'],
})
  .input(inProject({ apiName, ...contentTypeChange }))
  .output(dataOf(ContentType));

/** Deletes a content type that has no entries. */
export const deleteContentType = management({
  openapi: managementRoute('DELETE', '/content-types/{apiName}', {
    summary: 'Delete a content type',
    description:
      'Deletes a type that has no entries and that no entry refers to; otherwise 409 with the report of `delete-check`.',
    tags,
  }),
  resource: 'contentTypes',
  action: 'delete',
  errors: ['content_type_not_found', 'content_type_in_use'],
})
  .input(inProject({ apiName }))
  .output(dataOf(Deleted));

/** Reports what stands against deleting a type. */
export const checkContentTypeDelete = management({
  openapi: managementRoute('GET', '/content-types/{apiName}/delete-check', {
    summary: 'Check whether a content type can be deleted',
    description: 'Counts entries and references, and names what blocks a deletion.',
    tags,
  }),
  resource: 'contentTypes',
  action: 'read',
  errors: ['content_type_not_found'],
})
  .input(inProject({ apiName }))
  .output(dataOf(DeleteCheck));
