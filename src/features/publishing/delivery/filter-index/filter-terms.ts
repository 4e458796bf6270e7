/** A field of a list of documents. */
export interface FilteredField {
  readonly environmentId: string;
  readonly contentTypeId: string;
  readonly apiName: string;
}

/** A value in its order, with the field that it belongs to. */
interface FilterKey {
  readonly place: number;
  readonly key: string;
}

/** What the index has of a document. */
export interface FilterEntry {
  readonly terms: readonly number[];
  readonly keys: readonly FilterKey[];
}

/** Longer strings contain anything, as far as the index knows: their parts would cost more than they save. */
const LONGEST_SPLIT = 1000;
/** Characters of a part; shorter strings are not found by the index. */
const GRAM = 3;
/** Characters of a searched string that are compared. */
const LONGEST_SOUGHT = 64;
/** Characters of a string in its key. */
const KEY_LENGTH = 40;
const DAY_MS = 86_400_000;

/** FNV-1a of 32 bits. Equal hashes of different texts cost a look at a document, and change no result. */
function hash(text: string, from = 0x811c9dc5): number {
  let value = from;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}

export const placeOf = ({ environmentId, contentTypeId, apiName }: FilteredField): number =>
  hash(`${environmentId}${contentTypeId}${apiName}`);

export const presentTerm = (place: number): number => hash('+', place);
export const missingTerm = (place: number): number => hash('-', place);
export const longTerm = (place: number): number => hash('*', place);

/**
 * Characters without case, one by one: whatever collation compares them, characters that are equal to it are equal
 * here.
 */
const fold = (text: string): string => {
  if (/^[\x20-\x7e\s]*$/.test(text)) return text.toLowerCase();
  const folded = Array.from(text, (character) => {
    const lower = character.toLowerCase().replace('\u0307', '');
    return { ς: 'σ', ı: 'i' }[lower] ?? lower;
  });
  return folded.join('');
};

function partTerms(text: string, place: number): number[] {
  const folded = fold(text);
  const terms: number[] = [];
  for (let index = 0; index + GRAM <= folded.length; index += 1)
    terms.push(hash(folded.slice(index, index + GRAM), place));
  return terms;
}

/** Undefined for a string that is too short for the index. */
export function soughtTerms(text: string, place: number): number[] | undefined {
  const terms = partTerms(Array.from(text).slice(0, LONGEST_SOUGHT).join(''), place);
  return terms.length === 0 ? undefined : [...new Set(terms)];
}

/** Ordered as the numbers are; neighbours that differ in no bit of a double are equal. */
export function numberKey(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const ordered = bits >> 63n === 1n ? ~bits & 0xffffffffffffffffn : bits | (1n << 63n);
  return `n${ordered.toString(16).padStart(16, '0')}`;
}

/** The beginning: of strings in an order, keys are in that order or equal. */
export const stringKey = (value: string): string =>
  `s${
    value.length <= KEY_LENGTH
      ? value
      : Array.from(value.slice(0, 2 * KEY_LENGTH))
          .slice(0, KEY_LENGTH)
          .join('')
  }`;

/** A day further than asked, because stored times have offsets. No stored time is after `~`. */
export function timeKey(value: string, isAbove: boolean): string {
  const further = new Date(Date.parse(value) + (isAbove ? -DAY_MS : DAY_MS)).toISOString();
  return stringKey(further.startsWith('+') ? '~' : further);
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

interface Collected {
  readonly terms: number[];
  readonly keys: FilterKey[];
}

function addText(text: string, place: number, { terms, keys }: Collected): void {
  keys.push({ place, key: stringKey(text) });
  if (text.length <= LONGEST_SPLIT) for (const term of partTerms(text, place)) terms.push(term);
  else terms.push(longTerm(place));
}

function addItem(item: unknown, place: number, { terms, keys }: Collected): void {
  if (typeof item === 'number') keys.push({ place, key: numberKey(item) });
  else if (typeof item === 'string') addText(item.normalize('NFC'), place, { terms, keys });
}

/** What the index has of published values. @param places of the fields of its type, by name */
export function filterEntryOf(
  fields: Readonly<Record<string, unknown>>,
  places: ReadonlyMap<string, number>,
): FilterEntry {
  const entry: Collected = { terms: [], keys: [] };
  for (const [apiName, place] of places) {
    const value = fields[apiName];
    entry.terms.push(isUnset(value) ? missingTerm(place) : presentTerm(place));
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) addItem(item, place, entry);
  }
  const keys = new Map(entry.keys.map((key) => [`${String(key.place)} ${key.key}`, key]));
  return { terms: [...new Set(entry.terms)], keys: [...keys.values()] };
}
