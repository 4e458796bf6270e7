import { deliveryReads } from '../../contracts/delivery/delivery.contract.js';
import { getSitemap } from '../features/delivery/build-sitemap.js';
import { getDeliveryMedia } from '../features/delivery/get-delivery-media.js';
import { getDeliveryEntry } from '../features/delivery/get-delivery-entry.js';
import { listDeliveryContent } from '../features/delivery/list-delivery-content.js';
import { listDeliveryRedirects } from '../features/delivery/read-redirects.js';
import { getDeliveryTree } from '../features/delivery/read-tree.js';
import { resolveRoute } from '../features/delivery/resolve-route.js';
import { searchDelivery } from '../features/search/search-delivery.js';
import { bind } from './bind.js';
import { deliveryRead, deliveryReadWithToken, siteSearch } from './delivery-read.js';
import { query } from './run.js';

export const delivery = bind(deliveryReads, {
  getEntry: query(getDeliveryEntry, { read: deliveryReadWithToken }),
  listContent: query(listDeliveryContent, { read: (scope) => deliveryRead(scope) }),
  searchContent: query(searchDelivery, { read: (scope) => siteSearch(scope, deliveryRead(scope)) }),
  getMedia: query(getDeliveryMedia, { read: (scope) => deliveryRead(scope) }),
  resolveRoute: query(resolveRoute, { read: deliveryReadWithToken }),
  getTree: query(getDeliveryTree, { read: (scope) => deliveryRead(scope) }),
  listRedirects: query(listDeliveryRedirects, { read: (scope) => deliveryRead(scope) }),
  getSitemap: query(getSitemap, { read: (scope) => deliveryRead(scope) }),
});
