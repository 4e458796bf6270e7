import type { EntryComment } from '../../../../contracts/entries/comments/comment.js';
import { hasAnchoredText } from '../../../content/anchors/index.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import type { StoredComment } from './stored-comment.js';

/** What is needed to name the field of a comment. */
export interface CommentedFields {
  readonly catalog: Catalog;
  /** Of the entry. */
  readonly type: ContentTypeDefinition;
}

function fieldOf(
  { fieldId, blockId }: StoredComment,
  { catalog, type }: CommentedFields,
): FieldDefinition | undefined {
  const types = blockId === null ? [type] : catalog.data.contentTypes;
  for (const { fields } of types) {
    const field = fields.find(({ id }) => id === fieldId);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** A field keeps its comments when it is renamed. */
function presentAnchor(comment: StoredComment, fields: CommentedFields): EntryComment['anchor'] {
  const { fieldId, fieldName, blockId, isBlockRemoved, locale, rangeFrom, rangeTo, quote } = comment;
  if (fieldId === null || locale === null) return null;
  const field = fieldOf(comment, fields);
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

export function presentComment(comment: StoredComment, fields: CommentedFields): EntryComment {
  return {
    id: comment.id,
    entryId: comment.entryId,
    parentId: comment.parentId,
    text: comment.text,
    mentions: [...comment.mentions],
    anchor: presentAnchor(comment, fields),
    createdBy: comment.createdBy,
    createdAt: comment.createdAt.toISOString(),
    updatedAt: comment.updatedAt.toISOString(),
    resolvedAt: comment.resolvedAt?.toISOString() ?? null,
    resolvedBy: comment.resolvedBy,
  };
}
