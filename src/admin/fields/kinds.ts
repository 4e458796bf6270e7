import type { FieldKind } from '../../../contracts/content/fields/field-kinds.js';
import type { ContentType, Field } from '../api/project-data.js';

/** Kinds whose values fit into a cell of a table. */
const short: ReadonlySet<FieldKind> = new Set([
  'text',
  'slug',
  'integer',
  'number',
  'boolean',
  'date',
  'dateTime',
  'select',
  'email',
  'url',
  'color',
]);

export const isShort = ({ type, isList }: Field): boolean => short.has(type) && !isList;

export const isDay = ({ type }: Field): boolean => type === 'date';

export const isInstant = ({ type }: Field): boolean => type === 'dateTime';

export const isYesOrNo = ({ type }: Field): boolean => type === 'boolean';

/** Whether its values are files, pictures among them. */
export function mayBePicture({ type, validations }: Field): boolean {
  const kinds = validations.mimeTypes as readonly string[] | undefined;
  return type === 'media' && (kinds?.some((kind) => kind.includes('image')) ?? true);
}

/** Whether its items are blocks. */
export const holdsBlocks = ({ type }: { readonly type: string }): boolean => type === 'blocks';

/** Whether its blocks are fields of the entry itself: of one type, in its place without a choice. */
export const isGroupField = ({ type, settings }: Field): boolean =>
  holdsBlocks({ type }) && settings.shape === 'group';

/** Whether its value is one object. */
export const isOneGroup = (field: Field): boolean => isGroupField(field) && field.validations.maxItems === 1;

/** Kinds of text that comments can be about in part. */
const anchored: ReadonlySet<FieldKind> = new Set(['text', 'longText', 'slug', 'richText']);

export const hasRanges = ({ type, isList }: Field): boolean => anchored.has(type) && !isList;

/** The display field, else the first short text, as the service chooses titles. */
export const titleFieldOf = ({ displayField, fields }: ContentType): string | undefined =>
  displayField ?? fields.find(({ type, isList }) => type === 'text' && !isList)?.apiName;

interface Option {
  readonly value: string;
  readonly label?: string;
}

export const optionsOf = ({ settings }: Field): readonly Option[] => (settings.options ?? []) as Option[];
