import type { FieldKind } from '../../contracts/resources/field-kinds.js';

/** What the choice of a title looks at. */
interface TitledType {
  readonly displayField: string | null;
  readonly fields: readonly { readonly apiName: string; readonly type: string; readonly isList: boolean }[];
}

/** Kinds whose single values read as a title. */
const TITLE_KINDS: ReadonlySet<string> = new Set<FieldKind>([
  'text',
  'longText',
  'slug',
  'select',
  'email',
  'url',
  'integer',
  'number',
  'date',
  'dateTime',
]);

/** Whether a field's values can stand as an entry's title. */
export function canTitle(field: { readonly type: string; readonly isList: boolean }): boolean {
  return TITLE_KINDS.has(field.type) && !field.isList;
}

/** The field whose value names an entry to people: the display field, else the first text. */
export function titleFieldOf({ displayField, fields }: TitledType): string | null {
  return displayField ?? fields.find(({ type, isList }) => type === 'text' && !isList)?.apiName ?? null;
}
