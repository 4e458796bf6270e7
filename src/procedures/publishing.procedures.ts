import { deliveryReads } from '../../contracts/publishing/delivery/delivery.contract.js';
import { getSitemap } from '../features/publishing/delivery/build-sitemap.js';
import { getDeliveryMedia, readAsset } from '../features/publishing/delivery/get-delivery-media.js';
import { getDeliveryEntry, readEntryBySlug, readEntry } from '../features/publishing/delivery/read-entry.js';
import { listDeliveryContent, readCollection } from '../features/publishing/delivery/list-documents.js';
import { listDeliveryRedirects, readRedirects } from '../features/publishing/delivery/read-redirects.js';
import { getDeliveryTree, readTree } from '../features/publishing/delivery/read-tree.js';
import { readSync } from '../features/publishing/delivery/sync/read-sync.js';
import { resolveRoute, readRoute } from '../features/publishing/delivery/read-route.js';
import { withSourceMaps, type DeliveryRead } from '../features/publishing/delivery/index.js';
import { searchDelivery, searchForGraphql, type SiteSearch } from '../features/insight/search/site-search.js';
import { suggestOnSite } from '../features/insight/search/suggest.js';
import { bind } from './bind.js';
import {
  deliveryRead,
  deliveryReadWithPreview,
  deliveryReadWithToken,
  siteSearch,
  syncRead,
} from './delivery-read.js';
import { inFuture } from './future-read.js';
import type { OperationScope } from './call.js';
import { query, mutation } from './run.js';
import { graphqlReads } from '../../contracts/publishing/delivery/graphql.contract.js';
import { calendar as calendarContracts } from '../../contracts/publishing/calendar/calendar.contract.js';
import { getFeedUrl, readFeed, listCalendar } from '../features/publishing/calendar/list-calendar.js';
import { adoptAnyJob, rescheduleAnyJob } from '../features/entries/releases/schedule-release.js';

const own = (read: DeliveryRead): DeliveryRead => read;

const present = (scope: OperationScope): DeliveryRead => deliveryRead(scope);

export const delivery = bind(deliveryReads, {
  getEntry: query(withSourceMaps(getDeliveryEntry, own), { read: inFuture(deliveryReadWithToken) }),
  listContent: query(withSourceMaps(listDeliveryContent, own), { read: inFuture(present) }),
  searchContent: query(
    withSourceMaps(searchDelivery, ({ read }: SiteSearch) => read),
    { read: inFuture((scope) => siteSearch(scope, deliveryRead(scope))) },
  ),
  suggestSearch: query(suggestOnSite, { read: inFuture((scope) => siteSearch(scope, deliveryRead(scope))) }),
  getMedia: query(getDeliveryMedia, { read: inFuture(present) }),
  resolveRoute: query(withSourceMaps(resolveRoute, own), { read: inFuture(deliveryReadWithToken) }),
  getTree: query(getDeliveryTree, { read: inFuture(present) }),
  listRedirects: query(listDeliveryRedirects, { read: inFuture(present) }),
  getSitemap: query(getSitemap, { read: inFuture(present) }),
  sync: query(readSync, { read: syncRead }),
});

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
  suggest: query(suggestOnSite, {
    read: (scope, input) => siteSearch(scope, deliveryReadWithPreview(scope, input)),
  }),
  redirects: query(readRedirects, { read: (scope) => deliveryRead(scope) }),
});

export const calendar = bind(calendarContracts, {
  list: query(listCalendar),
  feed: query(readFeed),
  feedUrl: query(getFeedUrl, { with: ({ feedTokens, baseUrl }) => ({ feedTokens, baseUrl }) }),
  adopt: mutation(adoptAnyJob, { lock: 'content' }),
  reschedule: mutation(rescheduleAnyJob, { lock: 'content' }),
});
