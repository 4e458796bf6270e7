import { listOf } from '../envelopes.js';
import { delivery, deliveryRoute, inSite } from '../operation.js';
import { inPath, orderBy, paging } from '../primitives.js';
import { DeliveryEntry } from '../resources/delivery-entry.js';
import { contentFilter, fieldSelection } from './filters.js';
import { deliveryLocale, include } from './entries.contract.js';

/** Lists the published entries of one type on a site. */
export const listDeliveryContent = delivery({
  openapi: deliveryRoute('/content/{contentTypeApiName}', {
    summary: 'List entries of a type',
    description:
      'Published entries of one content type with full field values, by default the last published first.',
    tags: ['Delivery'],
  }),
  resource: 'entries',
  action: 'read',
  errors: ['site_not_found', 'locale_not_found', 'content_type_not_found'],
})
  .input(
    inSite({
      contentTypeApiName: inPath('apiName of the content type.', 'article'),
      ...paging,
      orderBy: orderBy(['createdAt', 'updatedAt'], 'updatedAt:desc'),
      locale: deliveryLocale,
      include,
      filter: contentFilter,
      fields: fieldSelection,
    }),
  )
  .output(listOf(DeliveryEntry));
