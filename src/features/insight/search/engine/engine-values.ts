import { createHash } from 'node:crypto';

/** Values that filters, order and facets of fields use, strings in NFC. Keys name the form and the field: `n_price`. */
type IndexedValues = Readonly<Record<string, (string | number | boolean)[]>>;

/**
 * `s` text, `c` its parts in small letters, `l` its beginning as it is sorted, `n` numbers, `b` booleans, `t` times in
 * milliseconds, `r` ids of links, `f` how facets name numbers and booleans.
 */
export type ValueForm = 's' | 'c' | 'l' | 'n' | 'b' | 't' | 'r' | 'f';

export const valueKey = (form: ValueForm, apiName: string): string => `values.${form}_${apiName}`;

/** Longer text is compared by its beginning and a hash: terms of the engine are bounded. */
const COMPARED = 1000;
const BEGINNING = 300;
/** Parts overlap, so that each has what is looked for whole. */
const PART = 8000;
const OVERLAP = 1100;
/** Items of a list. */
const ITEMS = 1000;
const TIME = /^\d{4,6}-\d\d-\d\d(?:T\d\d:\d\d|$)/;

/** Text that is equal if and only if the given one is. */
export function comparedText(text: string): string {
  if (text.length <= COMPARED) return text.toWellFormed();
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, BEGINNING).toWellFormed()}\u{10FFFF}${hash}`;
}

/** Letters that sort as others, besides those with accents. */
const SORTED_AS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** The key by which the engine, which compares code points, sorts strings as Unicode does: by letters, then by the rest. */
export function orderKey(text: string): string {
  const small = text.normalize('NFC').toLowerCase();
  const letters = small
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .replace(/[øłđħßæœ]/gu, (letter) => SORTED_AS[letter] ?? letter)
    .replace(/[!-/:-@[-`{-~]/gu, '!');
  return `${letters.slice(0, BEGINNING)}\u0001${small.slice(0, BEGINNING)}`.toWellFormed();
}

/** What is looked for by `contains`; more than parts share is cut. */
export const soughtText = (text: string): string =>
  text
    .toLowerCase()
    .slice(0, OVERLAP - 100)
    .toWellFormed();

function partsOf(text: string): string[] {
  const small = text.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at === 0 || at + OVERLAP < small.length; at += PART - OVERLAP)
    parts.push(small.slice(at, at + PART).toWellFormed());
  return parts;
}

type Add = (form: ValueForm, ...values: (string | number | boolean)[]) => void;

function addText(given: string, add: Add): void {
  const text = given.normalize('NFC');
  add('s', comparedText(text));
  add('c', ...partsOf(text));
  add('l', orderKey(text));
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) add('t', time);
}

function addItem(item: unknown, add: Add): void {
  if (typeof item === 'string') addText(item, add);
  else if (typeof item === 'number' && Number.isFinite(item)) {
    add('n', item);
    add('f', String(item));
  } else if (typeof item === 'boolean') {
    add('b', item);
    add('f', String(item));
  } else if (typeof item === 'object' && item !== null && '_ref' in item && typeof item._ref === 'string')
    add('r', item._ref.slice(0, COMPARED));
}

const isThere = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Values by form, and the names of the fields that have one. */
export function indexedValues(fields: Readonly<Record<string, unknown>>): {
  readonly values: IndexedValues;
  readonly present: readonly string[];
} {
  const values: Record<string, (string | number | boolean)[]> = {};
  const present = Object.keys(fields).filter((name) => isThere(fields[name]));
  for (const name of present) {
    const value = fields[name];
    const items: unknown[] = Array.isArray(value) ? value.slice(0, ITEMS) : [value];
    const add: Add = (form, ...given) => {
      (values[`${form}_${name}`] ??= []).push(...given);
    };
    for (const item of items) addItem(item, add);
  }
  return { values, present };
}
