/** Entries with blocks as they should be. Entries and blocks have the same fields: `text` and `asides` are localized, `tone` and `inner` are not. */

export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

export interface Link {
  readonly link: string;
}

/** All values in a locale, of a block or, with an empty id, of an entry. A list that was never written is absent. */
export interface Whole {
  id: string;
  text?: string;
  tone?: string;
  inner?: Item[];
  asides?: Item[];
}

export type Item = Whole | Link;

/** What all locales share. */
interface Common {
  id: string;
  tone?: string;
  inner?: (Common | Link)[];
}

interface Own {
  text?: string;
  asides?: Item[];
}

/** Localized values of the entry, and of its blocks by their ids, wherever these are. */
interface Local {
  own: Own;
  blocks: Map<string, Own>;
}

export interface State {
  common: Common;
  locals: Map<Locale, Local>;
}

export interface ModelEntry {
  readonly id: string;
  readonly type: 'page' | 'piece';
  version: number;
  state: State;
  readonly versions: Map<number, State>;
  /** Published values, and the state that they are of. */
  readonly live: Map<Locale, { readonly values: Whole; readonly mark: string }>;
}

export interface Model {
  readonly entries: ModelEntry[];
  /** Entries by the ids of blocks that they have or had. */
  readonly owners: Map<string, string>;
}

export const isLink = (item: Item | Common): item is Link => 'link' in item;

export const blocksOf = ({ inner = [], asides = [] }: Whole): Whole[] =>
  [...inner, ...asides].filter((item): item is Whole => !isLink(item));

/** The values and those of every block in them. */
export const everyPart = (whole: Whole): Whole[] => [whole, ...blocksOf(whole).flatMap(everyPart)];

const isSet = ({ text, asides }: Own): boolean => text !== undefined || asides !== undefined;

function compose({ id, tone, inner }: Common, own: Own, blocks: ReadonlyMap<string, Own>): Whole {
  const items = inner?.map((item) =>
    isLink(item) ? item : compose(item, blocks.get(item.id) ?? {}, blocks),
  );
  return structuredClone({
    id,
    ...own,
    ...(tone !== undefined && { tone }),
    ...(items !== undefined && { inner: items }),
  });
}

/** Undefined if the entry has no such locale. */
export function valuesIn({ common, locals }: State, locale: Locale): Whole | undefined {
  const local = locals.get(locale);
  return local && compose(common, local.own, local.blocks);
}

/** As {@link valuesIn}, without localized values where the entry has no such locale. */
export const valuesAnywhere = (state: State, locale: Locale): Whole =>
  valuesIn(state, locale) ?? compose(state.common, {}, new Map());

/** Values of a locale as they are kept. */
export function divide(whole: Whole): { common: Common; local: Local } {
  const blocks = new Map<string, Own>();
  const ownOf = ({ text, asides }: Whole): Own => ({
    ...(text !== undefined && { text }),
    ...(asides !== undefined && { asides }),
  });
  const commonOf = ({ id, tone, inner }: Whole): Common => ({
    id,
    ...(tone !== undefined && { tone }),
    ...(inner !== undefined && {
      inner: inner.map((item) => {
        if (isLink(item)) return item;
        if (isSet(ownOf(item))) blocks.set(item.id, ownOf(item));
        return commonOf(item);
      }),
    }),
  });
  const common = commonOf(whole);
  return structuredClone({ common, local: { own: ownOf(whole), blocks } });
}

/** Copies are of another realm. */
const isMap = (value: unknown): value is ReadonlyMap<unknown, unknown> =>
  Object.prototype.toString.call(value) === '[object Map]';

const ordered = (value: unknown): unknown => {
  if (isMap(value)) return [...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)).map(ordered);
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, ordered(one)]),
  );
};

export const sameAs = (value: unknown): string => JSON.stringify(ordered(value));

/** Equal for what a publication would show as equal. */
export const markOf = ({ common, locals }: State, locale: Locale): string =>
  sameAs([common, locals.get(locale)]);

export const statusOf = ({ state, live }: ModelEntry, locale: Locale): string => {
  const published = live.get(locale);
  if (published === undefined) return 'draft';
  return published.mark === markOf(state, locale) ? 'published' : 'changed';
};

export const writtenIn = ({ state }: ModelEntry): Locale[] => locales.filter((one) => state.locals.has(one));

/** Notes a version; the state is the one after it. */
export function addVersion(model: Model, entry: ModelEntry): void {
  entry.version += 1;
  entry.versions.set(entry.version, structuredClone(entry.state));
  noteBlocks(model, entry);
}

function noteBlocks({ owners }: Model, { id, state }: ModelEntry): void {
  for (const locale of locales)
    for (const part of everyPart(valuesIn(state, locale) ?? { id: '' }))
      if (part.id !== '') owners.set(part.id, id);
}

export const entryOf = ({ entries }: Model, id: string): ModelEntry | undefined =>
  entries.find((entry) => entry.id === id);
