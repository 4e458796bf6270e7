import { valueParts, type BlockTypes } from '../../../content/blocks/value-parts.js';
import type { ContentTypeDefinition } from '../../../content/catalog.js';
import { mediaOf, referencesIn } from '../../../content/links.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { LinkRow } from './entry.repository.js';

/**
 * What the values of a locale link to, in the entry and its blocks. Assets come last and in the order of ids, so that
 * writers that use the same ones lock them in one order.
 */
export function linkRows(
  types: BlockTypes<ContentTypeDefinition>,
  type: ContentTypeDefinition,
  { values, locale }: { readonly values: FieldValues; readonly locale: string },
): LinkRow[] {
  const links: LinkRow[] = [];
  const media: LinkRow[] = [];
  for (const part of valueParts(types, type, values)) {
    const { fields } = part.type;
    const localeOf = (isLocalized: boolean): string => (part.isLocalized || isLocalized ? locale : '');
    for (const field of fields)
      for (const { id } of referencesIn([field], part.values))
        links.push({ fieldId: field.id, locale: localeOf(field.localized), targetId: id, isMedia: false });
    for (const { field, id } of mediaOf(fields, part.values))
      media.push({ fieldId: field.id, locale: localeOf(field.localized), targetId: id, isMedia: true });
  }
  const rows = [...links, ...media.sort((a, b) => (a.targetId < b.targetId ? -1 : 1))];
  return [...new Map(rows.map((row) => [`${row.fieldId} ${row.locale} ${row.targetId}`, row])).values()];
}
