import { kindOf } from './field-kinds/index.js';
import type { FieldDefinition } from './model/field-definition.js';
import { limits } from '../../contracts/limits.js';
import { transliterate } from './transliterate.js';
import type { FieldValues } from './validate-fields.js';

interface SluggedType {
  readonly fields: readonly FieldDefinition[];
}

const givesSlug = (field: FieldDefinition): boolean => kindOf(field).givesSlug;

const slugFieldIn = ({ fields }: SluggedType): FieldDefinition | undefined =>
  fields.find((field) => givesSlug(field) && !field.isList);

/** `apiName` of the field whose value is the entry's slug. */
export const slugFieldOf = (type: SluggedType): string | undefined => slugFieldIn(type)?.apiName;

/** `apiName` of the field that a slug is made from, as the slug field's settings name it. */
export function slugSourceOf(type: SluggedType): string | undefined {
  const settings = slugFieldIn(type)?.settings as { sourceField?: string } | undefined;
  return settings?.sourceField;
}

/** A slug field that has the entry's slug follows it. */
export function followSlug(
  type: SluggedType,
  values: FieldValues,
  [before, after]: readonly [before: string, after: string],
): FieldValues {
  const name = slugFieldOf(type);
  return name !== undefined && values[name] === before ? { ...values, [name]: after } : values;
}

/** The slug field in which the slug is stored, because it is made from a source. */
export const storedSlugFieldOf = (type: SluggedType): FieldDefinition | undefined =>
  slugSourceOf(type) === undefined ? undefined : slugFieldIn(type);

const slugLengthMaximum = 80;

/** Long texts need not be transliterated in full. */
const textLengthMaximum = 1000;

/**
 * Lower case, at most 80 characters, cut between words if that keeps at least half; ASCII, except in Japanese. Null if
 * nothing is left.
 * @param locale whose language decides how letters are transliterated
 */
export function makeSlug(text: string, locale?: string): string | null {
  const words = transliterate(text.slice(0, textLengthMaximum), locale)
    // An apostrophe does not separate words.
    .replaceAll("'", '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  return shorten(words.join('-')) || null;
}

/** A cut must not split a surrogate pair. */
const wholeCharacters = (cut: string): string => cut.replace(/[\uD800-\uDBFF]$/, '');

function shorten(slug: string): string {
  if (slug.length <= slugLengthMaximum) return slug;
  const end = slug.lastIndexOf('-', slugLengthMaximum);
  return wholeCharacters(slug.slice(0, end >= slugLengthMaximum / 2 ? end : slugLengthMaximum));
}

/** The form in which slugs are stored and compared: NFC. */
export function normalizeSlug(slug: string): string {
  return slug.normalize('NFC');
}

/** Appends a suffix that resolves a conflict (`slug-2`), within the maximum length. */
export function numberedSlug(slug: string, suffix: string | number): string {
  const end = `-${String(suffix)}`;
  const kept = slug.slice(0, limits.slugLength - end.length);
  return (kept === slug ? slug : wholeCharacters(kept)) + end;
}

interface TitleCandidate {
  readonly type: string;
  readonly isList: boolean;
}

interface TitledType {
  readonly displayField: string | null;
  readonly fields: readonly (TitleCandidate & { readonly apiName: string })[];
}

export function canTitle(field: TitleCandidate): boolean {
  return !field.isList && kindOf(field).titles !== 'never';
}

/** The display field, else the first short text. */
export function titleFieldOf({ displayField, fields }: TitledType): string | null {
  const first = () => fields.find((field) => !field.isList && kindOf(field).titles === 'first');
  return displayField ?? first()?.apiName ?? null;
}
