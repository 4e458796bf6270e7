import {
  entryOf,
  everyPart,
  isLink,
  type Item,
  type Locale,
  type Model,
  type ModelEntry,
  type Whole,
} from './model.js';

type Json = Record<string, unknown>;

/** Empty lists are as good as none. */
const fieldsWith = ({ text, tone, inner = [], asides = [] }: Whole, show: (item: Item) => unknown): Json => ({
  ...(text !== undefined && { text }),
  ...(tone !== undefined && { tone }),
  ...(inner.length > 0 && { inner: inner.map(show) }),
  ...(asides.length > 0 && { asides: asides.map(show) }),
});

const linkTo = (id: string) => ({ _ref: id, _type: 'piece' });

/** As management returns it. */
export const drafted = (whole: Whole): Json =>
  fieldsWith(whole, (item) =>
    isLink(item) ? linkTo(item.link) : { ...linkTo(item.id), fields: drafted(item) },
  );

/** As delivery shows it. */
export function delivered(
  model: Model,
  { values, id }: { values: Whole; id: string },
  locale: Locale,
  hops: number,
): Json {
  const fields = fieldsWith(values, (item) => {
    const linked = isLink(item) ? entryOf(model, item.link)?.live.get(locale)?.values : item;
    const target = isLink(item) ? item.link : item.id;
    if (hops === 0 || linked === undefined) return linkTo(target);
    return delivered(model, { values: linked, id: target }, locale, hops - 1);
  });
  return { id, ...fields };
}

/** Ids of blocks that are public in a locale. */
export const liveBlocks = ({ live }: ModelEntry, locale: Locale): Whole[] => {
  const published = live.get(locale);
  return published === undefined ? [] : everyPart(published.values).filter(({ id }) => id !== '');
};

/** The document that an entry is public in: its own, else that of the entry whose block it was before it became one. */
function documentOf(model: Model, id: string, locale: Locale): Whole | undefined {
  const own = entryOf(model, id)?.live.get(locale)?.values;
  const former = model.owners.get(id);
  return own ?? (former === undefined ? undefined : documentOf(model, former, locale));
}

/** Published values by id, of an entry or a block. */
export function liveValues(model: Model, id: string, locale: Locale): Whole | undefined {
  const own = entryOf(model, id)?.live.get(locale)?.values;
  const document = documentOf(model, id, locale);
  return own ?? (document && everyPart(document).find((part) => part.id === id));
}

/** An answer without what the service chooses, and without empty values. */
export function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified);
  if (typeof value !== 'object' || value === null) return value;
  const { _id: id, _ref, _type, fields } = value as Json;
  const shown = Object.fromEntries(
    Object.entries((fields ?? {}) as Json)
      .filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0))
      .map(([name, one]) => [name, simplified(one)]),
  );
  if (id !== undefined) return { id, ...shown };
  return fields === undefined ? { _ref, _type } : { _ref, _type, fields: shown };
}
