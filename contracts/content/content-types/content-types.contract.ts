import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { ApiName, inPath, namedPaging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { ContentType, contentTypeChange, contentTypeInput, DeleteCheck } from './content-type.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Content types'];
const apiName = inPath('apiName of the content type.', 'article');
const contentTypeApiName = inPath('apiName of the content type.', 'article');
/** The public path has `{apiName}`; the body has the new `apiName`. */
const pathAliases = { contentTypeApiName: 'apiName' };

const crud = crudOf({
  path: '/content-types',
  key: 'apiName',
  resource: 'contentTypes',
  tags,
  notFound: 'content_type_not_found',
});

export const contentTypes = {
  list: crud
    .list({
      summary: 'List content types',
      description:
        'Returns every content type with its flags and fields, most recently updated first by default.',
      mcp: {
        tool: 'list_content_types',
        toolset: 'content',
        isDefault: true,
        title: 'List content types',
        description: 'Lists every content type with its flags. Start here to find out what content exists.',
        readOnly: true,
        listsAll: true,
        itemKeys: ['apiName', 'name', 'isPage', 'isBlock', 'isSingleton', 'isLocalized', 'fieldCount'],
      },
      mcpResources: [{ uri: 'service://schema/content-types', key: 'contentTypes' }],
    })
    .input(
      inProject({
        ...namedPaging,
      }),
    )
    .output(listOf(ContentType)),

  create: crud
    .create({
      summary: 'Create a content type',
      description:
        'Creates a content type and its fields in one request. The GraphQL schema is updated immediately.',
      events: ['content_type.created'],
      errors: [
        'workflow_not_found',
        'schema_too_complex',
        'api_name_conflict',
        'graphql_type_name_conflict',
        'reserved_api_name',
        'content_type_not_found',
        'custom_field_type_not_found',
      ],
    })
    .input(inProject(contentTypeInput))
    .output(dataOf(ContentType)),

  get: crud
    .get({
      summary: 'Get a content type',
      description: 'Returns one content type with all its fields.',
      mcp: {
        tool: 'get_content_type',
        toolset: 'content',
        isDefault: true,
        title: 'Get content type',
        description:
          'Reads one content type with its full field list: kinds, settings and validations. Read it before writing entries of the type.',
        readOnly: true,
      },
      mcpResources: [{ uri: 'service://content-types/{apiName}', key: 'contentType' }],
    })
    .input(inProject({ apiName }))
    .output(dataOf(ContentType)),

  update: crud
    .update({
      summary: 'Update a content type',
      description: 'Updates the given properties; null clears one. To change `apiName`, use `rename`.',
      events: ['content_type.updated'],
      errors: [
        'field_not_found',
        'content_type_in_use',
        'slug_conflict',
        'workflow_not_found',
        'workflow_state_in_use',
      ],
    })
    .input(inProject({ apiName, ...contentTypeChange }))
    .output(dataOf(ContentType)),

  delete: crud
    .delete({
      summary: 'Delete a content type',
      description:
        'Deletes a content type that has no entries and no references. Otherwise fails with 409 and the report of `delete-check`.',
      events: ['content_type.deleted'],
      errors: ['content_type_in_use'],
    })
    .input(inProject({ apiName }))
    .output(dataOf(Deleted)),

  checkDelete: management({
    openapi: managementRoute('GET', '/content-types/{apiName}/delete-check', {
      summary: 'Check whether a content type can be deleted',
      description: 'Counts entries and references and lists what prevents deletion.',
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
        'Changes the apiName of a content type without data loss. Links in drafts and published documents and fields that allow the type are updated. Statuses and version numbers do not change; earlier versions use the new name. The API and GraphQL use the new name immediately.',
      tags: ['Content types'],
      pathAliases,
    }),
    resource: 'contentTypes',
    action: 'update',
    events: ['content_type.updated'],
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
