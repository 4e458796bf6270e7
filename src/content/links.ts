import type { FieldDefinition } from './catalog.js';
import { fieldKindRules, type FieldKindRules, type Link } from './field-kinds/index.js';
import { valueIn, type FieldValues } from './model/field-values.js';

/** A link and the field that holds it. */
interface FieldLink extends Link {
  readonly fieldApiName: string;
}

/** Every link of an entry's values, in order of fields and items, repeated where it is. Values must have good shapes. */
export function linksOf(fields: readonly FieldDefinition[], values: FieldValues): FieldLink[] {
  return fields.flatMap((field) => {
    const { links }: FieldKindRules = fieldKindRules[field.type];
    return itemsOf(field, valueIn(values, field.apiName)).flatMap((item) =>
      links(item).map((link) => ({ fieldApiName: field.apiName, ...link })),
    );
  });
}

/** The values with every link replaced by what `map` makes of it. Whatever does not change is the same object as before. */
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

function itemsOf(field: FieldDefinition, value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (!field.isList) return [value];
  return Array.isArray(value) ? value : [];
}

/** A value that is a link has one; nothing else has any. */
function mapItem(field: FieldDefinition, item: unknown, map: (link: Link) => Link): unknown {
  const { links }: FieldKindRules = fieldKindRules[field.type];
  const [link] = links(item);
  if (!link) return item;
  const { id, type } = map(link);
  if (id === link.id && type === link.type) return item;
  return type === null ? { _ref: id } : { _ref: id, _type: type };
}
