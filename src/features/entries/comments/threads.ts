import { invalidInput, type AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { entries } from '../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryComment } from '../../../../contracts/entries/comments/comment.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  anchoredText,
  hasAnchoredText,
  quoteOf,
  type TextRange,
} from '../../../content/anchors/anchored-text.js';
import type { Catalog, FieldDefinition } from '../../../content/catalog.js';
import { valueParts, type BlockType, type ValuePart } from '../../../content/blocks/value-parts.js';
import { valueIn } from '../../../content/model/field-definition.js';
import {
  localeOf,
  shownLocale,
  typeOf,
  localeToWrite,
  valuesOf,
  type StoredEntry,
} from '../entries/index.js';
import { lockDiscussed, type DiscussedEntry } from './comment.policy.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository, type CommentRecord } from './comment.repository.js';
import type { StoredComment } from './stored-comment.js';

const eventOf = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  resolve: 'resolved',
  reopen: 'reopened',
} as const;

interface Change extends Pick<CommentRecord, 'verb'> {
  readonly before: StoredComment | null;
  readonly after: StoredComment | null;
  readonly isAlong?: boolean;
}

/** The audit record and the event of one changed comment. */
export function noteComment(
  work: UnitOfWork,
  { catalog, entry, type }: DiscussedEntry,
  { verb, before, after, isAlong = false }: Change,
): void {
  const shown = shownLocale(entry, catalog);
  const present = (comment: StoredComment | null) => comment && presentComment(comment, catalog);
  const record = { before: present(before), after: present(after) };
  const about = record.after ?? record.before;
  if (about === null) return;
  const name = localeOf(entry, shown)?.title ?? entry.id;
  work.use(CommentRepository).note({ verb, entry: { name, siteId: entry.siteId }, ...record, isAlong });
  const { id: commentId, parentId, text, mentions, anchor } = about;
  work.emit({
    type: `comment.${eventOf[verb]}`,
    data: {
      entryId: entry.id,
      contentTypeApiName: type.apiName,
      siteId: entry.siteId,
      locale: anchor?.locale ?? shown,
      commentId,
      parentId,
      text,
      mentions,
      anchor,
    },
  });
}

type GivenAnchor = NonNullable<InputOf<typeof entries.createComment>['anchor']>;

type Anchor = Pick<
  StoredComment,
  'fieldId' | 'fieldName' | 'blockId' | 'isBlockRemoved' | 'locale' | 'rangeFrom' | 'rangeTo' | 'quote'
>;

/** About the whole entry. */
export const noAnchor: Anchor = {
  fieldId: null,
  fieldName: null,
  blockId: null,
  isBlockRemoved: false,
  locale: null,
  rangeFrom: null,
  rangeTo: null,
  quote: null,
};

const refuse = (key: string, code: string, message: string): AppError =>
  invalidInput({ path: ['anchor', key], code, message });

function rangeIn(field: FieldDefinition, { from, to }: GivenAnchor): TextRange | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined)
    throw refuse(from === undefined ? 'from' : 'to', 'required', 'Set both from and to, or neither.');
  if (!hasAnchoredText(field))
    throw refuse('from', 'no_text', 'The field has no text to anchor in. Omit from and to.');
  if (from >= to) throw refuse('to', 'empty_range', 'to must be greater than from.');
  return { from, to };
}

const shortened = (quote: string): string => {
  if (quote.length <= limits.commentQuoteLength) return quote;
  return `${quote.slice(0, limits.commentQuoteLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
};

/** The entry, or its block that has the field. */
function partOf(
  catalog: Catalog,
  entry: StoredEntry,
  { block, locale }: GivenAnchor & { locale: string },
): ValuePart {
  const type = typeOf(catalog, entry);
  const parts = valueParts<BlockType>(catalog, type, valuesOf(entry, locale));
  const id = block?.toLowerCase();
  const part = id === undefined ? parts[0] : parts.find((one) => one.block?._ref === id);
  if (part === undefined) throw refuse('block', 'unknown_block', 'The draft has no block with this ID.');
  return part;
}

/**
 * Where a new comment belongs, in the draft.
 * @throws AppError 404 `locale_not_found`; 422 for an unknown field or block and for a range without text
 */
export function placeAnchor(catalog: Catalog, entry: StoredEntry, given: GivenAnchor): Anchor {
  const locale = localeToWrite(catalog, entry, given.locale);
  const { type, values, block } = partOf(catalog, entry, { ...given, locale });
  const field = type.fields.find(({ apiName }) => apiName === given.field);
  if (field === undefined)
    throw refuse('field', 'unknown_field', `The content type ${type.apiName} has no field ${given.field}.`);
  const range = rangeIn(field, given);
  const place = { fieldId: field.id, fieldName: field.apiName, blockId: block?._ref ?? null };
  const anchor = { ...noAnchor, ...place, locale };
  if (range === null) return anchor;
  const quote = quoteOf(anchoredText(valueIn(values, field.apiName)), range);
  if (quote === '') throw refuse('from', 'no_text', 'There is no text in this range of the draft.');
  if (!quote.isWellFormed()) throw refuse('from', 'split_character', 'The range splits a character.');
  return { ...anchor, rangeFrom: range.from, rangeTo: range.to, quote: shortened(quote) };
}

interface Settlement {
  readonly thread: StoredComment;
  readonly isResolved: boolean;
  readonly isAlong?: boolean;
}

/** Does nothing if the thread is in the state. */
export async function settleThread(
  work: UnitOfWork,
  discussed: DiscussedEntry,
  { thread, isResolved, isAlong = false }: Settlement,
): Promise<StoredComment> {
  if ((thread.resolvedAt !== null) === isResolved) return thread;
  const { now, scope } = work;
  const resolution = isResolved
    ? { resolvedAt: now, resolvedBy: scope.actor }
    : { resolvedAt: null, resolvedBy: null };
  const after = { ...thread, ...resolution, updatedAt: now };
  await work.use(CommentRepository).settle(after);
  noteComment(work, discussed, { verb: isResolved ? 'resolve' : 'reopen', before: thread, after, isAlong });
  return after;
}

async function settle(
  work: UnitOfWork,
  { entryId, commentId }: InputOf<typeof entries.resolveComment>,
  isResolved: boolean,
): Promise<{ data: EntryComment }> {
  const discussed = await lockDiscussed(work, entryId);
  const comments = work.use(CommentRepository);
  const comment = await comments.find(discussed.entry.id, commentId);
  const { parentId } = comment;
  const thread = parentId === null ? comment : await comments.find(discussed.entry.id, parentId);
  const after = await settleThread(work, discussed, { thread, isResolved });
  return { data: presentComment(after, discussed.catalog) };
}

export const resolveComment = (work: UnitOfWork, input: InputOf<typeof entries.resolveComment>) =>
  settle(work, input, true);

export const reopenComment = (work: UnitOfWork, input: InputOf<typeof entries.reopenComment>) =>
  settle(work, input, false);
