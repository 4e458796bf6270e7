import { deliveryReads } from '../../contracts/delivery/delivery.contract.js';
import {
  getDeliveryEntry,
  getSitemap,
  listDeliveryContent,
  resolveRoute,
} from '../features/delivery/index.js';
import { bind } from './bind.js';
import { deliveryRead, previewableRead } from './delivery-read.js';
import { query } from './run.js';

export const delivery = bind(deliveryReads, {
  getEntry: query(getDeliveryEntry, { read: previewableRead }),
  listContent: query(listDeliveryContent, { read: (scope) => deliveryRead(scope) }),
  resolveRoute: query(resolveRoute, { read: previewableRead }),
  getSitemap: query(getSitemap, { read: (scope) => deliveryRead(scope) }),
});
