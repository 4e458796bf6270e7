import { dataOf, Deleted, listOf } from '../envelopes.js';
import { ApiName, inPath, nameContains, orderBy, paging } from '../primitives.js';
import { management } from '../procedure.js';
import { ContentType, contentTypeChange, contentTypeInput, DeleteCheck } from '../resources/content-type.js';
import { inProject, managementRoute } from '../routes.js';

const tags = ['Content types'];
const apiName = inPath('apiName of the content type.', 'article');
const contentTypeApiName = inPath('apiName of the content type.', 'article');
/** Outside, the type stands in the path as `{apiName}`, beside the new `apiName` in the body. */
const pathAliases = { contentTypeApiName: 'apiName' };

export const contentTypes = {
  list: management({
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
    mcpResources: [{ uri: 'service://schema/content-types', key: 'contentTypes' }],
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc'),
        q: nameContains,
      }),
    )
    .output(listOf(ContentType)),

  create: management({
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
    .output(dataOf(ContentType)),

  get: management({
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
    .output(dataOf(ContentType)),

  update: management({
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
    .output(dataOf(ContentType)),

  delete: management({
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
    .output(dataOf(Deleted)),

  checkDelete: management({
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
    .output(dataOf(DeleteCheck)),

  rename: management({
    openapi: managementRoute('POST', '/content-types/{contentTypeApiName}/rename', {
      summary: 'Rename a content type',
      description:
        'Gives a type another apiName without loss: links in drafts and published documents follow, and so do the fields that allow the type. Statuses and versions of entries stay; earlier versions are read under the new name. Clients and GraphQL know the new name at once.',
      tags: ['Content types'],
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'update',
    errors: [
      'content_type_not_found',
      'api_name_conflict',
      'graphql_type_name_conflict',
      'reserved_api_name',
    ],
  })
    .input(inProject({ contentTypeApiName, apiName: ApiName }))
    .output(dataOf(ContentType)),
};
