export type { DeliveryRead } from './delivery-read.js';
export { localesOf } from './delivery-read.js';
export { DeliveryTrace } from './delivery-trace.js';
export type { DocumentSource, StoredDocument } from './document.js';
export { DraftDocuments, DraftRepository } from './draft-documents.repository.js';
export { expandValues } from './expand-references.js';
export { getDeliveryEntry } from './get-delivery-entry.js';
export { listDeliveryContent } from './list-delivery-content.js';
export { PublishedDocuments } from './published-documents.repository.js';
