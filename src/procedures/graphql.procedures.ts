import { graphqlReads } from '../../contracts/delivery/graphql.contract.js';
import { readAsset } from '../features/delivery/read-asset.js';
import { readCollection } from '../features/delivery/read-collection.js';
import { readEntryBySlug } from '../features/delivery/read-entry-by-slug.js';
import { readEntry } from '../features/delivery/read-entry.js';
import { readRedirects } from '../features/delivery/read-redirects.js';
import { readTree } from '../features/delivery/read-tree.js';
import { readRoute } from '../features/delivery/read-route.js';
import { searchForGraphql } from '../features/search/search-delivery.js';
import { bind } from './bind.js';
import { deliveryReadWithPreview, deliveryRead, siteSearch } from './delivery-read.js';
import { query } from './run.js';

export const graphql = bind(graphqlReads, {
  entry: query(readEntry, { read: (scope) => deliveryRead(scope) }),
  entryBySlug: query(readEntryBySlug, { read: deliveryReadWithPreview }),
  collection: query(readCollection, { read: deliveryReadWithPreview }),
  asset: query(readAsset, { read: (scope) => deliveryRead(scope) }),
  resolveRoute: query(readRoute, { read: (scope) => deliveryRead(scope) }),
  tree: query(readTree, { read: (scope) => deliveryRead(scope) }),
  search: query(searchForGraphql, {
    read: (scope, input) => siteSearch(scope, deliveryReadWithPreview(scope, input)),
  }),
  redirects: query(readRedirects, { read: (scope) => deliveryRead(scope) }),
});
