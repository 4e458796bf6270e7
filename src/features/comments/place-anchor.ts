import { invalidInput, type AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { anchoredText, hasAnchoredText, quoteOf, type TextRange } from '../../content/anchors/index.js';
import type { Catalog, FieldDefinition } from '../../content/catalog.js';
import { localeFor, localizedOf, siteOf, typeOf, type StoredEntry } from '../entries/index.js';
import type { StoredComment } from './stored-comment.js';

type GivenAnchor = NonNullable<InputOf<typeof entries.createComment>['anchor']>;

type Anchor = Pick<StoredComment, 'fieldId' | 'fieldName' | 'locale' | 'rangeFrom' | 'rangeTo' | 'quote'>;

/** About the whole entry. */
export const noAnchor: Anchor = {
  fieldId: null,
  fieldName: null,
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

/**
 * Where a new comment belongs, in the draft.
 * @throws AppError 404 `locale_not_found`; 422 for an unknown field and for a range without text
 */
export function placeAnchor(catalog: Catalog, entry: StoredEntry, given: GivenAnchor): Anchor {
  const locale = localeFor(catalog, siteOf(catalog, entry), given.locale);
  const field = typeOf(catalog, entry).fields.find(({ apiName }) => apiName === given.field);
  if (field === undefined)
    throw refuse('field', 'unknown_field', `The content type has no field ${given.field}.`);
  const range = rangeIn(field, given);
  const anchor = { ...noAnchor, fieldId: field.id, fieldName: field.apiName, locale };
  if (range === null) return anchor;
  const values = field.localized ? localizedOf(entry, locale) : entry.sharedFields;
  const quote = quoteOf(anchoredText(values[field.apiName]), range);
  if (quote === '') throw refuse('from', 'no_text', 'There is no text in this range of the draft.');
  if (!quote.isWellFormed()) throw refuse('from', 'split_character', 'The range splits a character.');
  return { ...anchor, rangeFrom: range.from, rangeTo: range.to, quote: shortened(quote) };
}
