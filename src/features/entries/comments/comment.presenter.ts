import type { EntryComment } from '../../../../contracts/entries/comments/comment.js';
import { hasAnchoredText } from '../../../content/anchors/index.js';
import type { ContentTypeDefinition } from '../../../content/catalog.js';
import type { StoredComment } from './stored-comment.js';

/** A field keeps its comments when it is renamed. */
function presentAnchor(
  comment: StoredComment,
  type: ContentTypeDefinition | undefined,
): EntryComment['anchor'] {
  const { fieldId, fieldName, locale, rangeFrom, rangeTo, quote } = comment;
  if (fieldId === null || locale === null) return null;
  const field = type?.fields.find(({ id }) => id === fieldId);
  const isLost = field === undefined || (quote !== null && (rangeFrom === null || !hasAnchoredText(field)));
  return {
    field: field?.apiName ?? fieldName ?? '',
    locale,
    from: isLost ? null : rangeFrom,
    to: isLost ? null : rangeTo,
    quote,
    orphaned: isLost,
  };
}

export function presentComment(
  comment: StoredComment,
  type: ContentTypeDefinition | undefined,
): EntryComment {
  return {
    id: comment.id,
    entryId: comment.entryId,
    parentId: comment.parentId,
    text: comment.text,
    mentions: [...comment.mentions],
    anchor: presentAnchor(comment, type),
    createdBy: comment.createdBy,
    createdAt: comment.createdAt.toISOString(),
    updatedAt: comment.updatedAt.toISOString(),
    resolvedAt: comment.resolvedAt?.toISOString() ?? null,
    resolvedBy: comment.resolvedBy,
  };
}
