import type { ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { linksOf, mediaOf } from '../../../content/links.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { LinkRow } from './entry.repository.js';

/** Assets come last and in the order of ids, so that writers that use the same ones lock them in one order. */
export function linkRows(type: ContentTypeDefinition, values: FieldValues, locale: string): LinkRow[] {
  const rowOf = (field: FieldDefinition, targetId: string, isMedia: boolean): LinkRow => ({
    fieldId: field.id,
    locale: field.localized ? locale : '',
    targetId,
    isMedia,
  });
  const rows = [
    ...type.fields.flatMap((field) => linksOf([field], values).map(({ id }) => rowOf(field, id, false))),
    ...mediaOf(type.fields, values)
      .map(({ field, id }) => rowOf(field, id, true))
      .sort((a, b) => (a.targetId < b.targetId ? -1 : 1)),
  ];
  return [...new Map(rows.map((row) => [`${row.fieldId} ${row.targetId}`, row])).values()];
}
