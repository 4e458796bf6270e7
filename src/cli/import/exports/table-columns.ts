import type { FieldKind } from '../../../../contracts/content/fields/field-kinds.js';
import { limits } from '../../../../contracts/limits.js';
import { ExternalId, InstantInput, DateInput, LocaleCode } from '../../../../contracts/primitives.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import type { ColumnMapping } from './export-source.js';

/** Different values of a column that are kept. */
const DISTINCT = 60;
/** Options of a column whose kind is guessed as select, and how often each is there at least. */
const OPTIONS = 12;
const REPEATS = 5;

const numberForm = /^-?(?:0|[1-9]\d{0,15})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'published', 'live'].map((text) => [text, true] as const),
  ...['false', 'no', 'n', 'draft', 'unpublished'].map((text) => [text, false] as const),
]);
const assetForm = /\.(?:avif|gif|jpe?g|png|svg|webp|pdf|mp[34]|webm|docx?|xlsx?|zip)(?:\?[^\s]*)?$/i;
const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const isWeb = (text: string): boolean => /^https?:\/\/\S+$/.test(text) && URL.canParse(text);

/** True for words and for 1. Undefined for what is neither. */
export const booleanOf = (value: unknown): boolean | undefined =>
  typeof value === 'boolean'
    ? value
    : value === 1 || value === '1'
      ? true
      : value === 0 || value === '0'
        ? false
        : booleans.get(String(value).trim().toLowerCase());

function timeOf(text: string): string | undefined {
  const [, day = '', clock = '00:00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  const zone = offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  return InstantInput.safeParse(`${day}T${clock.length === 5 ? `${clock}:00` : clock}${zone}`).data;
}

/** What a cell may be. The order is that of the guess. */
const forms: readonly (readonly [FieldKind, (value: unknown, text: string) => boolean])[] = [
  ['boolean', (value, text) => typeof value === 'boolean' || booleans.has(text.toLowerCase())],
  [
    'integer',
    (value, text) =>
      typeof value !== 'boolean' && numberForm.test(text) && Number.isSafeInteger(Number(text)),
  ],
  ['number', (value, text) => typeof value !== 'boolean' && numberForm.test(text)],
  ['date', (_, text) => DateInput.safeParse(text).success],
  ['dateTime', (_, text) => timeOf(text) !== undefined],
  ['media', (_, text) => assetForm.test(text) && (isWeb(text) || /^[^\s:?*<>|]+$/.test(text))],
  ['url', (_, text) => isWeb(text)],
  ['email', (_, text) => emailForm.test(text)],
  ['json', (value, text) => isObject(value) || /^[[{][^]*[\]}]$/.test(text)],
];

/** Whether a name is that of a column of references. */
const isLinkName = (name: string): boolean =>
  /(?:^|_)(?:parent|ref)|parent$|[a-z]_id$|[a-z]Id$|[a-z]_ids$|[a-z]Ids$/.test(name);

/** A value of JSON, or of a cell, as it is written. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** What is known of the values of a column. */
export class ColumnTally {
  #count = 0;
  #longest = 0;
  #hasLines = false;
  #isMixed = false;
  #possible = new Set(forms.map(([kind]) => kind));
  #arrays = 0;
  #links = 0;
  readonly #distinct = new Map<string, number>();
  readonly #separated = new Map([
    ['|', 0],
    [';', 0],
  ]);

  constructor(readonly name: string) {}

  add(value: unknown): void {
    if (value === null || value === undefined || value === '') return;
    if (Array.isArray(value)) {
      this.#arrays += 1;
      for (const item of value) this.#addOne(item);
    } else this.#addOne(value);
  }

  #addOne(value: unknown): void {
    this.#count += 1;
    if (isObject(value) && typeof value._external === 'string') this.#links += 1;
    const text = textOf(value).trim();
    this.#longest = Math.max(this.#longest, text.length);
    this.#hasLines ||= text.includes('\n');
    for (const [kind, isOne] of forms)
      if (this.#possible.has(kind) && !isOne(value, text)) this.#possible.delete(kind);
    if (this.#distinct.size < DISTINCT || this.#distinct.has(text))
      this.#distinct.set(text.slice(0, limits.textLength), (this.#distinct.get(text) ?? 0) + 1);
    else this.#isMixed = true;
    for (const [separator, count] of this.#separated)
      if (/^[^\n]{1,500}$/.test(text) && text.includes(separator)) this.#separated.set(separator, count + 1);
  }

  /** Different values; undefined if there are too many. */
  get options(): string[] | undefined {
    return this.#isMixed ? undefined : [...this.#distinct.keys()];
  }

  /** @param isId whether a value is the external id of a row @param type of the rows */
  guess(isId: (text: string) => boolean, type: string): Omit<ColumnMapping, 'apiName'> {
    const separator = this.#separator();
    const isList = this.#arrays > 0 || separator !== undefined;
    const list = isList ? { separator: separator ?? ',' } : {};
    const to = this.#target(isId, { type, separator });
    const own = to === undefined ? { kind: this.#kind(separator) } : ({ kind: 'reference', to } as const);
    return { ...own, required: false, ...(own.kind !== 'json' && list) };
  }

  #separator(): string | undefined {
    if (this.#possible.size > 0) return undefined;
    return [...this.#separated].find(([, count]) => count > 0 && count * 2 >= this.#count)?.[0];
  }

  #parts(separator: string | undefined): string[] {
    const parts = [...this.#distinct.keys()].flatMap((text) =>
      separator === undefined ? text : text.split(separator),
    );
    return parts.map((part) => part.trim()).filter((part) => part !== '');
  }

  /** References of JSON name their type with `_type`; others are ids of the same file. */
  #target(
    isId: (text: string) => boolean,
    { type, separator }: { type: string; separator: string | undefined },
  ): string | undefined {
    if (this.#links > 0 && this.#links === this.#count) {
      const [first] = this.#distinct.keys();
      const { _type } = JSON.parse(first ?? '{}') as { _type?: unknown };
      return typeof _type === 'string' ? _type : type;
    }
    const parts = this.#parts(separator);
    const isPlain = ['boolean', 'integer', 'number'].some((kind) => this.#possible.has(kind as FieldKind));
    if (parts.length === 0 || (isPlain && !isLinkName(this.name))) return undefined;
    return parts.every(isId) ? type : undefined;
  }

  #kind(separator: string | undefined): FieldKind {
    if (this.#count === 0) return 'text';
    const [first] = forms.flatMap(([kind]) => (this.#possible.has(kind) ? [kind] : []));
    if (first !== undefined) return first;
    if (separator !== undefined) {
      const parts = this.#parts(separator);
      return parts.every((part) => assetForm.test(part)) ? 'media' : 'text';
    }
    const isRepeated = this.#count >= this.#distinct.size * REPEATS && this.#longest <= limits.textLength;
    if (!this.#isMixed && this.#distinct.size <= OPTIONS && isRepeated && !this.#hasLines) return 'select';
    return this.#longest > 200 || this.#hasLines ? 'longText' : 'text';
  }
}

/** Texts of a cell that are read as JSON. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** One value of a cell as the kind takes it; undefined if it is none. References and files are read elsewhere. */
export function cellValue(value: unknown, kind: FieldKind): unknown {
  const text = textOf(value).trim();
  if (kind === 'json') return jsonOf(value);
  if (kind === 'boolean') return booleanOf(value);
  if (kind === 'integer' || kind === 'number') {
    const number = numberForm.test(text.replace(/^\+/, '')) ? Number(text) : NaN;
    return Number.isFinite(number) && (kind === 'number' || Number.isSafeInteger(number))
      ? number
      : undefined;
  }
  if (kind === 'date') return DateInput.safeParse(text).data ?? timeOf(text)?.slice(0, 10);
  if (kind === 'dateTime') return timeOf(text);
  if (kind === 'reference') {
    const id = isObject(value) ? value._external : text;
    return ExternalId.safeParse(typeof id === 'number' ? String(id) : id).data;
  }
  return ['text', 'longText', 'richText'].includes(kind) ? textOf(value) : text;
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Whether a text is the code of a language that exists. */
export function isLanguage(text: string): boolean {
  if (!/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(text)) return false;
  const code = LocaleCode.safeParse(text.replaceAll('_', '-')).data;
  return code !== undefined && languages.of(code) !== undefined;
}

/** `title.de` as the name of the field and the locale; undefined for a column of no locale. */
export function localizedColumn(name: string): readonly [field: string, locale: string] | undefined {
  const [, field, suffix = ''] = /^(.+)\.([a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/.exec(name) ?? [];
  return field === undefined || !isLanguage(suffix) ? undefined : [field, suffix.replaceAll('_', '-')];
}

/** Bits of {@link IdFilter}. */
const BITS = 2 ** 27;

/** Ids of any number in 16 MB. It never misses one, and takes a wrong one for known once in a million. */
export class IdFilter {
  readonly #bits = new Uint32Array(BITS / 32);

  has(id: string): boolean {
    return this.#places(id).every((place) => ((this.#bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0);
  }

  /** @returns whether it was there already, or seems so */
  add(id: string): boolean {
    const isKnown = this.has(id);
    for (const place of this.#places(id))
      this.#bits[place >>> 5] = (this.#bits[place >>> 5] ?? 0) | (1 << (place & 31));
    return isKnown;
  }

  /** Four places by two hashes (FNV-1a, from two starts). */
  #places(id: string): number[] {
    let [first, second] = [0x811c9dc5, 0x9747b28c];
    for (let at = 0; at < id.length; at += 1) {
      first = Math.imul(first ^ id.charCodeAt(at), 0x01000193);
      second = Math.imul(second ^ id.charCodeAt(at), 0x5bd1e995);
      second ^= second >>> 15;
    }
    return [0, 1, 2, 3].map((time) => (first + Math.imul(time, second | 1)) >>> 5);
  }
}
