import type { FieldKind } from '../../../contracts/resources/field-kinds.js';
import { email, url } from './address.js';
import { blocks } from './blocks.js';
import { boolean } from './boolean.js';
import { color } from './color.js';
import { custom } from './custom.js';
import { date, dateTime } from './date.js';
import { json } from './json.js';
import { location } from './location.js';
import { integer, number } from './number.js';
import { reference } from './reference.js';
import { richText } from './rich-text.js';
import type { FieldKindRules } from './rules.js';
import { select } from './select.js';
import { slug } from './slug.js';
import { longText, text } from './text.js';

export type { FieldKindRules, Link } from './rules.js';

/** The rules of every field kind. A kind without rules does not compile. */
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
  reference,
  blocks,
  custom,
} satisfies Record<FieldKind, FieldKindRules>;
