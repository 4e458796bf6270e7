import { graphqlReads } from '../../contracts/delivery/graphql.contract.js';
import { readCollection, readEntry, readEntryBySlug, readRoute } from '../features/delivery/index.js';
import { bind } from './bind.js';
import { choosableRead, deliveryRead } from './delivery-read.js';
import { query } from './run.js';

export const graphql = bind(graphqlReads, {
  entry: query(readEntry, { read: (scope) => deliveryRead(scope) }),
  entryBySlug: query(readEntryBySlug, { read: choosableRead }),
  collection: query(readCollection, { read: choosableRead }),
  resolveRoute: query(readRoute, { read: (scope) => deliveryRead(scope) }),
});
