import type { EntryComment } from '../../../../contracts/entries/comments/comment.js';
import { hasAnchoredText } from '../../../content/anchors/anchored-text.js';
import type { Catalog } from '../../../content/catalog.js';
import type { StoredComment } from './stored-comment.js';

/** A field keeps its comments when it is renamed. */
function presentAnchor(comment: StoredComment, catalog: Catalog): EntryComment['anchor'] {
  const { fieldId, fieldName, blockId, isBlockRemoved, locale, rangeFrom, rangeTo, quote } = comment;
  if (fieldId === null || locale === null) return null;
  const field = catalog.fieldById(fieldId);
  const isQuoteLost =
    quote !== null && (rangeFrom === null || (field !== undefined && !hasAnchoredText(field)));
  const isLost = field === undefined || isBlockRemoved || isQuoteLost;
  return {
    field: field?.apiName ?? fieldName ?? '',
    block: blockId,
    locale,
    from: isLost ? null : rangeFrom,
    to: isLost ? null : rangeTo,
    quote,
    orphaned: isLost,
  };
}

export function presentComment(comment: StoredComment, catalog: Catalog): EntryComment {
  return {
    id: comment.id,
    entryId: comment.entryId,
    parentId: comment.parentId,
    text: comment.text,
    mentions: [...comment.mentions],
    anchor: presentAnchor(comment, catalog),
    createdBy: comment.createdBy,
    createdAt: comment.createdAt.toISOString(),
    updatedAt: comment.updatedAt.toISOString(),
    resolvedAt: comment.resolvedAt?.toISOString() ?? null,
    resolvedBy: comment.resolvedBy,
  };
}
