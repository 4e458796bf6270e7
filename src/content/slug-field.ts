import { kindOf } from './field-kinds/index.js';
import type { FieldDefinition } from './model/field-definition.js';
import anyAscii from 'any-ascii';
import { limits } from '../../contracts/limits.js';

interface SluggedType {
  readonly fields: readonly FieldDefinition[];
}

const givesSlug = (field: FieldDefinition): boolean => kindOf(field).givesSlug;

/** `apiName` of the field whose value is the entry's slug. */
export const slugFieldOf = ({ fields }: SluggedType): string | undefined =>
  fields.find((field) => givesSlug(field) && !field.isList)?.apiName;

/** `apiName` of the field that a slug is made from, as the slug field's settings name it. */
export function slugSourceOf({ fields }: SluggedType): string | undefined {
  const settings = fields.find(givesSlug)?.settings as { sourceField?: string } | undefined;
  return settings?.sourceField;
}

const slugLengthMaximum = 80;

/** Long texts need not be transliterated in full. */
const textLengthMaximum = 1000;

/** ASCII, lower case, at most 80 characters, cut between words if that keeps at least half. Null if nothing is left. */
export function makeSlug(text: string): string | null {
  const words = anyAscii(text.slice(0, textLengthMaximum).normalize('NFC'))
    .toLowerCase()
    // An apostrophe does not separate words.
    .replaceAll("'", '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return shorten(words.join('-')) || null;
}

function shorten(slug: string): string {
  if (slug.length <= slugLengthMaximum) return slug;
  const end = slug.lastIndexOf('-', slugLengthMaximum);
  return slug.slice(0, end >= slugLengthMaximum / 2 ? end : slugLengthMaximum);
}

/** The form in which slugs are stored and compared: NFC. */
export function normalizeSlug(slug: string): string {
  return slug.normalize('NFC');
}

/** Appends a suffix that resolves a conflict (`slug-2`), within the maximum length. */
export function numberedSlug(slug: string, suffix: string | number): string {
  const end = `-${String(suffix)}`;
  const kept = slug.slice(0, limits.slugLength - end.length);
  // The cut must not split a surrogate pair.
  return (kept === slug ? slug : kept.replace(/[\uD800-\uDBFF]$/, '')) + end;
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
