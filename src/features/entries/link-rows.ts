import type { ContentTypeDefinition } from '../../content/catalog.js';
import { linksOf } from '../../content/links.js';
import type { FieldValues } from '../../content/validate-fields.js';
import type { LinkRow } from './entry.repository.js';

export function linkRows(type: ContentTypeDefinition, values: FieldValues, locale: string): LinkRow[] {
  const rows = type.fields.flatMap((field) =>
    linksOf([field], values).map(({ id }) => ({
      fieldId: field.id,
      locale: field.localized ? locale : '',
      targetId: id,
    })),
  );
  return [...new Map(rows.map((row) => [`${row.fieldId} ${row.targetId}`, row])).values()];
}
