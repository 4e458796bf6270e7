import { blocksIn } from './blocks.js';
import { draftValues } from './drafts.js';
import { isServed, servedValues, type Served } from './served.js';
import { linksIn, rawOf, shownText } from './texts.js';
import {
  typeOf,
  type Locale,
  type Model,
  type ModelBlock,
  type ModelEntry,
  type ModelText,
  type ModelType,
  type Values,
} from './model.js';

/** An entry as REST delivery shows it, without what the service chooses. */
export interface Shown {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Place extends Served {
  readonly hops: number;
  /** Whether the request follows links of texts; that of a request with hops, by default. */
  readonly isFollowed?: boolean;
  readonly path: readonly string[];
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

export const linkTo = (model: Model, id: string): unknown => {
  const target = model.entries.find((entry) => entry.id === id);
  return { _ref: id, _type: target && typeOf(model, target).name };
};

function shownLink(model: Model, id: string, place: Place): unknown {
  const target = model.entries.find((entry) => entry.id === id);
  const isShown =
    place.hops > 0 && target !== undefined && isServed(target, place) && !place.path.includes(id);
  return isShown
    ? shown(model, target, { isFollowed: place.hops > 0, ...place, hops: place.hops - 1 })
    : linkTo(model, id);
}

function shownFields(
  model: Model,
  { type, values }: { readonly type: ModelType; readonly values: Values },
  place: Place,
): Shown['fields'] {
  const inner = { isFollowed: place.hops > 0, ...place, hops: place.hops - 1 };
  const fields = type.fields.map(({ key, name, kind, isList, isGroup }) => {
    const value = values.get(key);
    if (value === undefined) return [name, isList && !isGroup ? [] : null];
    if (kind === 'richText') {
      const { isFollowed = place.hops > 0 } = place;
      const texts = asList(value).map((one) => shownText(model, one as ModelText, { ...place, isFollowed }));
      return [name, isList ? texts : texts[0]];
    }
    if (kind === 'blocks') {
      const blocks = blocksIn(value).map((block): unknown => {
        const own = typeOf(model, block);
        if (place.hops === 0) return { _ref: block.id, _type: own.name };
        return {
          id: block.id,
          type: own.name,
          fields: shownFields(model, { type: own, values: block.values }, inner),
        };
      });
      return [name, isGroup ? (blocks[0] ?? null) : blocks];
    }
    if (kind !== 'reference') return [name, value];
    const links = asList(value).map((id) => shownLink(model, String(id), place));
    return [name, isList ? links : links[0]];
  });
  return Object.fromEntries(fields) as Shown['fields'];
}

/** An entry that is served, with its references and blocks expanded. */
export function shown(model: Model, entry: ModelEntry, place: Place): Shown {
  const type = typeOf(model, entry);
  const values = servedValues(model, entry, place);
  const fields = shownFields(model, { type, values }, { ...place, path: [...place.path, entry.id] });
  return { id: entry.id, type: type.name, fields };
}

/** An entry as GraphQL shows it: targets that are not live are left out, cycles end with the query. */
export const answered = (model: Model, entry: ModelEntry, place: Omit<Place, 'path'>): object =>
  answeredPart(model, { ...entry, values: servedValues(model, entry, place) }, place);

const answeredText = (model: Model, text: ModelText, served: Served): object => ({
  raw: rawOf(text),
  links: linksIn(model, text, served).map(([_id, _type]) => ({ _id, _type })),
});

function answeredPart(
  model: Model,
  { id, values, ...part }: { readonly id: string; readonly type: number; readonly values: Values },
  place: Omit<Place, 'path'>,
): object {
  const type = typeOf(model, part);
  const inner = { ...place, hops: place.hops - 1 };
  const fields = type.fields.flatMap(({ key, name, kind, isList, isGroup }) => {
    const alias = `${type.name}_${name}`;
    const value = values.get(key);
    if (kind === 'richText') {
      const texts = (value === undefined ? [] : asList(value)).map((text) =>
        answeredText(model, text as ModelText, place),
      );
      return [[alias, isList ? texts : (texts[0] ?? null)] as const];
    }
    if (kind !== 'reference' && kind !== 'blocks') return [[alias, value ?? (isList ? [] : null)] as const];
    if (place.hops === 0) return [];
    if (kind === 'blocks') {
      const blocks = blocksIn(value).map((block) => answeredPart(model, block, inner));
      return [[alias, isGroup ? (blocks[0] ?? null) : blocks] as const];
    }
    const targets = (value === undefined ? [] : asList(value)).flatMap((target) => {
      const found = model.entries.find((one) => one.id === target);
      return found !== undefined && isServed(found, place) ? [answered(model, found, inner)] : [];
    });
    return [[alias, isList ? targets : (targets[0] ?? null)] as const];
  });
  return { _id: id, ...Object.fromEntries(fields) };
}

/** The draft of an entry as management shows it, without unset values. */
export const drafted = (model: Model, entry: ModelEntry, locale: Locale): object =>
  draftedPart(model, { type: entry.type, values: draftValues(entry, locale) });

function draftedPart(model: Model, part: { readonly type: number; readonly values: Values }): object {
  const fields = typeOf(model, part).fields.flatMap(({ key, name, kind, isList, isGroup }) => {
    const value = part.values.get(key);
    if (value === undefined) return [];
    if (kind === 'richText') {
      const texts = asList(value).map((text) => rawOf(text as ModelText));
      return [[name, isList ? texts : texts[0]] as const];
    }
    if (kind === 'blocks') {
      const blocks = blocksIn(value).map((block) => draftedBlock(model, block));
      return isGroup && blocks.length === 0 ? [] : [[name, isGroup ? blocks[0] : blocks] as const];
    }
    if (kind !== 'reference') return [[name, value] as const];
    const links = asList(value).map((id) => linkTo(model, String(id)));
    return [[name, isList ? links : links[0]] as const];
  });
  return Object.fromEntries(fields);
}

const draftedBlock = (model: Model, block: ModelBlock): object => ({
  _ref: block.id,
  _type: typeOf(model, block).name,
  fields: draftedPart(model, block),
});
