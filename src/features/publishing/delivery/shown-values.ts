import { isObject } from '../../../content/exact-json/is-object.js';
import {
  mayName,
  namedIn,
  showReferences,
  type Shown,
  type StoredText,
} from '../../../content/rich-text/show-references.js';

type Values = Readonly<Record<string, unknown>>;

const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** A text in delivery shape. */
const isText = (value: Values): value is Values & StoredText => typeof value.html === 'string';

/** Entries and assets that a value names. */
export interface ReferencedIds {
  readonly entries: readonly string[];
  readonly assets: readonly string[];
}

function namedInItem(value: unknown): ReferencedIds {
  if (!isObject(value)) return { entries: [], assets: [] };
  if (typeof value._ref === 'string') return { entries: [], assets: [value._ref] };
  return isText(value) ? namedIn(value.html) : { entries: [], assets: [] };
}

/** Entries that the texts of a field name, and assets that its value names. The field is one of media or text. */
export function namedInValue(value: unknown): ReferencedIds {
  const named = itemsOf(value).map(namedInItem);
  return {
    entries: named.flatMap(({ entries }) => entries),
    assets: named.flatMap(({ assets }) => assets),
  };
}

/** Whether a value of such a field can name something, by its JSON. */
export const mayNameSomething = (json: string): boolean => json.includes('"_ref":') || mayName(json);

function showItem(value: unknown, shown: Shown): unknown {
  if (!isObject(value)) return value;
  if (isText(value)) return showReferences(value, shown);
  const asset = typeof value._ref === 'string' ? shown.asset(value._ref) : undefined;
  return asset === undefined ? value : { _id: asset.id, _type: value._type, ...asset };
}

/** The value of such a field with assets in place of links, and texts with what they name. */
export function showValue(value: unknown, shown: Shown): unknown {
  return Array.isArray(value) ? value.map((item) => showItem(item, shown)) : showItem(value, shown);
}
