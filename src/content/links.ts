import { kindOf, type Link, type Use } from './field-kinds/index.js';
import { type FieldDefinition, valueIn, type FieldValues } from './model/field-definition.js';

interface FieldLink extends Link {
  readonly fieldApiName: string;
}

type Fields = readonly FieldDefinition[];

/** Cached per list of fields, because delivery asks for every document. */
function fieldsWhere(isFound: (field: FieldDefinition) => boolean): (fields: Fields) => Fields {
  const known = new WeakMap<Fields, Fields>();
  return (fields) => {
    const found = known.get(fields) ?? fields.filter(isFound);
    known.set(fields, found);
    return found;
  };
}

export const linkFieldsOf = fieldsWhere((field) => kindOf(field).isLink);

/** In the order of fields and items, with repetitions. Values must have valid shapes. */
export function linksOf(fields: readonly FieldDefinition[], values: FieldValues): FieldLink[] {
  return fields.flatMap((field) => {
    const { links } = kindOf(field);
    return itemsOf(field, valueIn(values, field.apiName)).flatMap((item) =>
      links(item).map((link) => ({ fieldApiName: field.apiName, ...link })),
    );
  });
}

/** An entry or asset that the value of a field names. */
interface FieldUse extends Use {
  readonly field: FieldDefinition;
}

/** The fields whose values can name assets. */
export const mediaFieldsOf = fieldsWhere((field) => kindOf(field).namesMedia);

/** The fields of rich text, whose values can name entries and assets. */
export const textFieldsOf = fieldsWhere((field) => kindOf(field).namesEntries);

const usesOf = (
  fields: readonly FieldDefinition[],
  values: FieldValues,
  uses: (field: FieldDefinition, item: unknown) => Use[],
): FieldUse[] =>
  fields.flatMap((field) =>
    itemsOf(field, valueIn(values, field.apiName)).flatMap((item) =>
      uses(field, item).map((use) => ({ field, ...use })),
    ),
  );

/** In the order of fields and items, with repetitions. Values must have valid shapes. */
export const mediaOf = (fields: readonly FieldDefinition[], values: FieldValues): FieldUse[] =>
  usesOf(mediaFieldsOf(fields), values, (field, item) => kindOf(field).mediaUses(item));

/** Entries that texts link, mention and embed; as {@link mediaOf}. */
export const entriesInTexts = (fields: readonly FieldDefinition[], values: FieldValues): FieldUse[] =>
  usesOf(textFieldsOf(fields), values, (field, item) => kindOf(field).entryUses(item));

/** An entry that a field names, in a link or in a text. */
interface FieldReference {
  readonly fieldApiName: string;
  readonly id: string;
}

/** Every entry that values name: {@link linksOf}, then {@link entriesInTexts}. */
export const referencesIn = (fields: readonly FieldDefinition[], values: FieldValues): FieldReference[] => [
  ...linksOf(fields, values),
  ...entriesInTexts(fields, values).map(({ field, id }) => ({ fieldApiName: field.apiName, id })),
];

/** The value of a field as it is stored. */
export function storedForm(field: FieldDefinition, value: unknown): unknown {
  const { store } = kindOf(field);
  if (field.isList) return Array.isArray(value) ? value.map(store) : value;
  return value === null || value === undefined ? value : store(value);
}

/** Replaces every link by the result of `map`. Unchanged values keep their identity. */
export function mapLinks(
  fields: readonly FieldDefinition[],
  values: FieldValues,
  map: (link: Link) => Link,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...values };
  for (const field of fields) {
    const value = valueIn(values, field.apiName);
    const items = itemsOf(field, value);
    const mappedItems = items.map((item) => mapItem(field, item, map));
    if (mappedItems.every((item, index) => item === items[index])) continue;
    mapped[field.apiName] = field.isList ? mappedItems : mappedItems[0];
  }
  return mapped;
}

/** Replaces the ids of {@link entriesInTexts}. Unchanged values keep their identity. */
export function mapEntriesInTexts(
  fields: readonly FieldDefinition[],
  values: FieldValues,
  map: (id: string) => string,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...values };
  const uses = entriesInTexts(fields, values).filter(({ id }) => map(id) !== id);
  for (const field of new Set(uses.map((use) => use.field))) {
    const items = itemsOf(field, valueIn(values, field.apiName)).map((item) =>
      kindOf(field).mapEntryUses(item, map),
    );
    mapped[field.apiName] = field.isList ? items : items[0];
  }
  return mapped;
}

function itemsOf(field: FieldDefinition, value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (!field.isList) return [value];
  return Array.isArray(value) ? value : [];
}

/** A value has at most one link, which is the value itself. */
function mapItem(field: FieldDefinition, item: unknown, map: (link: Link) => Link): unknown {
  const { links } = kindOf(field);
  const [link] = links(item);
  if (!link) return item;
  const { id, type } = map(link);
  if (id === link.id && type === link.type) return item;
  return type === null ? { _ref: id } : { _ref: id, _type: type };
}
