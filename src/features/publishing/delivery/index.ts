export {
  ActiveDocuments,
  LoneDraft,
  PreviewedDocument,
  PinnedDocuments,
  SiteDrafts,
} from './pinned-documents.js';
export { openSitemap, type OpenSitemap } from './build-sitemap.js';
export { assertFields, conditionsOf, type Condition, type FilterInput } from './content-filter.js';
export { FilterCheckRepository } from './filter-index/filter-check.repository.js';
export { FilterIndexRepository } from './filter-index/filter-index.repository.js';
export { FilterIndexer } from './filter-index/filter-indexer.js';
export { comparedValue, comparedWhat, systemKeys } from './content-filter.js';
export { amongSql, casts, combinedSql, filterSql, likePattern, liveRow, valueIn } from './filter-sql.js';
export { siteOf, withSourceMaps, type DeliveryRead, type PreviewScope } from './delivery-read.js';
export { DeliveryTrace } from './delivery-trace.js';
export { DocumentCheckRepository } from './document-check.repository.js';
export { EntryText } from './entry-text.js';
export { presentDocument, type DocumentSource, type StoredDocument } from './document.js';
export { DraftDocuments, DraftRepository } from './draft-documents.repository.js';
export { PublishedBodyRepository, writeBodies } from './published-body.repository.js';
export { publicPaths, type PathedDocument } from './entry-paths.js';
export { assertNoFieldParameters, targetsIn } from './list-documents.js';
export { whereConditions, type FindTargets } from './where.js';
export { expandValues, presentEntries } from './write-entries.js';
export { contentBlock, contentText, contentValue, presentContent } from './present-content.js';
export { BLOCKS } from './published-document.js';
export { localesOf } from './locale-chains.js';
export { OverlaidReads, overlaidUnit, type OverlaidTable, type Overlay } from './overlay.repository.js';
export { PublishedDocuments } from './published-documents.repository.js';
export { RouteReader } from './route-reader.repository.js';
export type { RouteSource } from './route-source.js';
export { SharedDocuments } from './shared-documents.js';
export { readMedia, type ReadMedia } from './delivery-trace.js';
export { namedInValue, showValue, type ReferencedIds } from './shown-values.js';
export { hrefOf, shownEntry } from './text-links.js';
export { SitemapReader, TreeReader } from './tree-reader.repository.js';
export type { SitemapSource } from './route-source.js';
export {
  CollectedDocuments,
  TracedDocuments,
  tracedRoutes,
  tracedSitemap,
  tracedTree,
} from './traced-reads.js';
export type { TreeSource } from './tree-source.js';
export type { SyncRead } from './sync/read-sync.js';
export { SyncCursors } from './sync/sync-cursor.js';
export { SyncChangeRepository, SyncChanges, type SyncSource } from './sync/sync-changes.repository.js';
export { FallbackRepository } from './fallback.repository.js';
