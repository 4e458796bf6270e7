import { composed, divided, partsOf, storedBlocks } from './blocks.js';
import {
  locales,
  typeOf,
  type Locale,
  type Model,
  type ModelEntry,
  type ModelField,
  type ModelType,
  type Values,
} from './model.js';

/** Every map of values of the type's entries and blocks. */
export const valuesOf = ({ entries }: Model, type: ModelType): Values[] =>
  entries
    .flatMap((entry) =>
      [entry.shared, ...entry.drafts.values(), ...entry.live.values()].flatMap((values) =>
        partsOf({ type: entry.type, values }),
      ),
    )
    .filter((part) => part.type === type.key)
    .map(({ values }) => values);

export function setValue(
  model: Model,
  entry: ModelEntry,
  { field, locale, value }: { field: ModelField; locale: Locale; value: unknown },
): void {
  const held = field.localized ? draftOf(entry, locale) : entry.shared;
  if (value === undefined) held.delete(field.key);
  else held.set(field.key, field.kind === 'blocks' ? storedBlocks(model, field, { locale, value }) : value);
}

export function draftOf({ drafts }: ModelEntry, locale: Locale): Values {
  const held = drafts.get(locale) ?? new Map<number, unknown>();
  drafts.set(locale, held);
  return held;
}

/** All values of a draft. */
export const draftValues = ({ shared, drafts }: ModelEntry, locale: Locale): Values =>
  composed(shared, drafts.get(locale), locale);

export function publishIn(entry: ModelEntry, locale: Locale): void {
  if (entry.drafts.has(locale)) entry.live.set(locale, draftValues(entry, locale));
}

export function dropField(model: Model, type: ModelType, field: ModelField): void {
  type.fields = type.fields.filter((other) => other !== field);
  for (const values of valuesOf(model, type)) values.delete(field.key);
}

/** A field becomes a list, whose first value remains when it becomes a single value again. */
export function reshape(model: Model, type: ModelType, field: ModelField): void {
  field.isList = !field.isList;
  for (const values of valuesOf(model, type)) {
    const value = values.get(field.key);
    if (value === undefined) continue;
    const shaped = field.isList ? [value] : (value as unknown[])[0];
    if (shaped === undefined) values.delete(field.key);
    else values.set(field.key, shaped);
  }
}

/** The values of all drafts, divided as the fields say now. The default locale comes first. */
export function setDrafts(
  model: Model,
  entry: ModelEntry,
  drafts: readonly (readonly [Locale, Values])[],
): void {
  const { shared, own } = divided(model, typeOf(model, entry), drafts);
  entry.shared.clear();
  for (const [key, value] of shared) entry.shared.set(key, value);
  for (const [locale, values] of own) entry.drafts.set(locale, values);
}

export const allDrafts = (entry: ModelEntry): (readonly [Locale, Values])[] =>
  locales.filter((locale) => entry.drafts.has(locale)).map((locale) => [locale, draftValues(entry, locale)]);

/** Drafts get the shared value in every locale, or share that of the default one; what is live stays. */
export function relocate(model: Model, field: ModelField): void {
  const before = model.entries.map((entry) => [entry, allDrafts(entry)] as const);
  field.localized = !field.localized;
  for (const [entry, drafts] of before) setDrafts(model, entry, drafts);
}
