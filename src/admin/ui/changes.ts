/** A value that differs between two states; a missing one is undefined. */
export interface Change {
  readonly path: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
}

type Bag = Readonly<Record<string, unknown>>;

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rich text is compared as a whole, like a string. */
const isDocument = (value: unknown): boolean => isBag(value) && value.type === 'doc';

const DEPTH = 6;

const labelOf = ({ locale, apiName }: Bag, index: number): string =>
  [locale, apiName].find((name) => typeof name === 'string') ?? String(index + 1);

/** Links and blocks are known by what they name, not by their places. */
const isListOfBags = (value: unknown): value is readonly Bag[] =>
  Array.isArray(value) && value.every((item) => isBag(item) && !('_ref' in item));

/** Lists that have the same objects by locale, name or position are looked into. */
function itemsOf(value: unknown, other: unknown): unknown {
  if (!isListOfBags(value) || !isListOfBags(other)) return value;
  const labels = value.map(labelOf);
  const isSame = labels.join('\n') === other.map(labelOf).join('\n');
  if (!isSame || new Set(labels).size < labels.length) return value;
  return Object.fromEntries(value.map((item, index) => [labels[index], item]));
}

/** Every value that differs, found inside objects; other lists and rich texts are values. */
export function changesOf(from: unknown, to: unknown, path: readonly string[] = []): Change[] {
  const isRoot = path.length === 0;
  const before = isRoot ? (from ?? {}) : itemsOf(from, to);
  const after = isRoot ? (to ?? {}) : itemsOf(to, from);
  const isInside = isBag(before) && isBag(after) && !isDocument(before) && !isDocument(after);
  if (!isInside || path.length === DEPTH)
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from, to }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => changesOf(before[key], after[key], [...path, key]));
}

export interface Part {
  readonly start: string;
  readonly changed: string;
  readonly end: string;
}

const isWord = (character: string | undefined): boolean =>
  /[\p{L}\p{N}\p{M}\uD800-\uDFFF]/u.test(character ?? '');

/** What two texts have in common at their beginning and end, in whole words, and what is between. */
export function partsOf(from: string, to: string): { readonly from: Part; readonly to: Part } {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  while (start > 0 && isWord(from[start - 1]) && (isWord(from[start]) || isWord(to[start]))) start -= 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  while (end > 0 && isWord(from.at(-end)) && (isWord(from.at(-end - 1)) || isWord(to.at(-end - 1)))) end -= 1;
  const part = (text: string): Part => ({
    start: text.slice(0, start),
    changed: text.slice(start, text.length - end),
    end: text.slice(text.length - end),
  });
  return { from: part(from), to: part(to) };
}
