import { fieldKinds, type FieldKind } from '../../../contracts/content/fields/field-kinds.js';
import { blocks } from './blocks.js';
import { boolean } from './boolean.js';
import { color } from './color.js';
import { custom } from './custom.js';
import { date } from './date.js';
import { dateTime } from './date-time.js';
import { email } from './email.js';
import { integer } from './integer.js';
import { json } from './json.js';
import { location } from './location.js';
import { longText } from './long-text.js';
import { media } from './media.js';
import { number } from './number.js';
import { reference } from './reference.js';
import { richText } from './rich-text.js';
import type { FieldKindRules } from './rules.js';
import { select } from './select.js';
import { slug } from './slug.js';
import { text } from './text.js';
import { url } from './url.js';

export type { Comparison, FieldKindRules, GraphqlValueType, Link, MediaFacts, Use } from './rules.js';

/** The rules of every field kind: the list that a new kind is added to, beside the contract's. */
export const fieldKindRules = {
  text,
  longText,
  richText,
  slug,
  integer,
  number,
  boolean,
  date,
  dateTime,
  select,
  url,
  email,
  color,
  location,
  json,
  media,
  reference,
  blocks,
  custom,
} satisfies Record<FieldKind, FieldKindRules>;

/** The rules of a field's kind. Rows of the database have the kind as a string. */
export const kindOf = ({ type }: { readonly type: string }): FieldKindRules =>
  fieldKindRules[type as FieldKind];

/** The kinds with a property, in the order of the contract. */
export const kindsWhere = (test: (kind: FieldKindRules) => boolean): readonly FieldKind[] =>
  fieldKinds.filter((type) => test(fieldKindRules[type]));

/** Kinds whose values are links to entries. */
export const linkKinds = kindsWhere(({ isLink }) => isLink);

/** Kinds that every value of a kind is also a value of, unchanged. */
export function compatibleKinds(type: string): readonly FieldKind[] {
  const { valueClass } = kindOf({ type });
  if (valueClass === null) return [];
  return fieldKinds.filter((other) => other !== type && fieldKindRules[other].accepts.includes(valueClass));
}
