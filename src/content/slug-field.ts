import anyAscii from 'any-ascii';
import { limits } from '../../contracts/limits.js';
import { kindOf } from './field-kinds/index.js';
import type { FieldDefinition } from './model/field-definition.js';
import type { FieldValues } from './validate-fields.js';

type Table = Readonly<Record<string, string>>;

/** Pairs of letters and their replacement. */
const tableOf = (pairs: string): Table =>
  Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=') as [string, string]));

const german = tableOf('ä=ae ö=oe ü=ue ß=ss');
const nordic = tableOf('æ=ae ø=oe å=aa ä=ae ö=oe');
const southSlavic = tableOf('đ=dj ђ=dj ж=z ј=j љ=lj њ=nj ћ=c х=h ц=c ч=c џ=dz ш=s');

/** In small letters, where a language has another custom than the script as a whole (`any-ascii`). */
const tables: Readonly<Record<string, Table>> = {
  de: german,
  lb: german,
  gsw: german,
  da: nordic,
  nb: nordic,
  nn: nordic,
  no: nordic,
  sr: southSlavic,
  hr: southSlavic,
  bs: southSlavic,
  ca: tableOf('·='),
  az: tableOf('ə=e'),
  el: tableOf('ου=ou ού=ou'),
  uk: tableOf("г=h ґ=g зг=zgh є=ie и=y ї=i й=i х=kh ц=ts щ=shch ю=iu я=ia ь= ’= ʼ= '="),
  be: tableOf('г=h ё=io і=i й=i ў=u х=kh ц=ts ы=y э=e ю=iu я=ia ь='),
  bg: tableOf('ж=zh й=y х=h ц=ts ч=ch ш=sh щ=sht ъ=a ь=y ю=yu я=ya'),
  mk: tableOf('ѓ=gj ж=zh ѕ=dz ј=j љ=lj њ=nj ќ=kj х=h ц=c ч=ch џ=dj ш=sh'),
};

/** At the beginning of a word. */
const beginnings: Readonly<Record<string, Table>> = {
  uk: tableOf('є=ye ї=yi й=y ю=yu я=ya'),
};

type Replace = (text: string) => string;

function replacing(table: Table, where = ''): Replace {
  const keys = Object.keys(table).sort((a, b) => b.length - a.length);
  const found = new RegExp(`${where}(?:${keys.join('|')})`, 'gu');
  return (text) => text.replace(found, (key) => table[key] ?? key);
}

const noLetterBefore = String.raw`(?<![\p{L}\p{M}'’ʼ])`;
const replacements: ReadonlyMap<string, readonly Replace[]> = new Map(
  Object.entries(tables).map(([language, table]) => {
    const begun = beginnings[language];
    return [language, [...(begun ? [replacing(begun, noLetterBefore)] : []), replacing(table)]];
  }),
);

const languageOf = (locale: string | undefined): string => locale?.split('-')[0] ?? '';

/** Characters of Chinese origin have several readings in Japanese, which only a dictionary knows. */
const HAN = /\p{Script=Han}/u;

/** Whether letters stay as they are, because their reading is unknown. */
const keepsScript = (text: string, locale: string | undefined): boolean =>
  languageOf(locale) === 'ja' && HAN.test(text);

/** In small letters; in Latin ones as the language of the locale writes them, except Japanese with Chinese characters. */
function transliterate(given: string, locale?: string): string {
  const text = given.normalize('NFC').toLowerCase();
  if (keepsScript(text, locale))
    return text
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase()
      .normalize('NFC');
  const replaced = (replacements.get(languageOf(locale)) ?? []).reduce((now, replace) => replace(now), text);
  return anyAscii(replaced).toLowerCase();
}

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
