import { dataOf } from '../envelopes.js';
import { inProject, management, managementRoute } from '../operation.js';
import { ApiName, inPath } from '../primitives.js';
import { ContentType } from '../resources/content-type.js';
import { Field } from '../resources/field.js';

const contentTypeApiName = inPath('apiName of the content type.', 'article');
/** Outside, the type stands in the path as `{apiName}`, beside the new `apiName` in the body. */
const published = { contentTypeApiName: 'apiName' };

/** Gives a content type another apiName. */
export const renameContentType = management({
  openapi: managementRoute('POST', '/content-types/{contentTypeApiName}/rename', {
    summary: 'Rename a content type',
    description:
      'Gives a type another apiName without loss: links in drafts and published documents follow, and so do the fields that allow the type. Statuses and versions of entries stay; earlier versions are read under the new name. Clients and GraphQL know the new name at once.',
    tags: ['Content types'],
    published,
  }),
  resource: 'contentTypes',
  action: 'update',
  errors: ['content_type_not_found', 'api_name_conflict', 'graphql_type_name_conflict', 'reserved_api_name'],
})
  .input(inProject({ contentTypeApiName, apiName: ApiName }))
  .output(dataOf(ContentType));

/** Gives a field another apiName. */
export const renameField = management({
  openapi: managementRoute('POST', '/content-types/{contentTypeApiName}/fields/{fieldApiName}/rename', {
    summary: 'Rename a field',
    description:
      'Gives a field another apiName without loss: its values follow in drafts and published documents, and so do `displayField` and `sourceField`. Statuses and versions of entries stay; earlier versions are read under the new name.',
    tags: ['Fields'],
    published,
  }),
  resource: 'contentTypes',
  action: 'update',
  errors: ['content_type_not_found', 'field_not_found', 'api_name_conflict', 'reserved_api_name'],
})
  .input(
    inProject({
      contentTypeApiName,
      fieldApiName: inPath('apiName of the field.', 'title'),
      apiName: ApiName,
    }),
  )
  .output(dataOf(Field));
