import { embedBlocks } from '../blocks/embed-blocks.js';
import { valueParts, type BlockType, type BlockTypes } from '../blocks/value-parts.js';
import { kindOf } from '../field-kinds/index.js';
import type { FieldDefinition, FieldValues } from '../model/field-definition.js';
import { toText } from '../rich-text/to-html.js';
import type { RichTextNode } from '../../../contracts/rich-text.js';

/** A: title; B: other text; C: rich text; D: assets (rule search/index). */
export type TextWeight = 'A' | 'B' | 'C' | 'D';

export interface SearchText {
  readonly text: string;
  readonly weight: TextWeight;
}

/** What is being searched: drafts, or what is published. */
export type SearchStage = 'draft' | 'live';

/** One locale of an entry, as text. */
export interface SearchDocument {
  readonly entryId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly stage: SearchStage;
  readonly title: string;
  readonly texts: readonly SearchText[];
}

/** The text of a field; inside a block its path, `sections[<id>].title`. */
export interface FieldText extends SearchText {
  readonly field: string;
}

/** Characters of one value that count. */
const VALUE_CHARACTERS = 200_000;

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(stringsIn);
  return [];
}

/** Stored, or delivered with its text. */
function richTextOf(value: unknown): string {
  const given = value as { text?: unknown; type?: unknown };
  if (typeof given.text === 'string' && given.type === undefined) return given.text;
  return toText(value as RichTextNode);
}

function textOf(value: unknown, field: FieldDefinition): string {
  const { isLink, graphqlType } = kindOf(field);
  if (value === null || value === undefined || isLink) return '';
  if (graphqlType === 'MediaAsset' || graphqlType === 'Location' || graphqlType === 'Boolean') return '';
  if (graphqlType === 'RichText') return richTextOf(value);
  return stringsIn(value).join('\n');
}

/** Text of every field with text, in the order of the fields; the title's is left out. */
function fieldTexts(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
  titleField: string | null,
): FieldText[] {
  return fields.flatMap((field): FieldText[] => {
    if (field.apiName === titleField) return [];
    const value = values[field.apiName];
    const items = field.isList && Array.isArray(value) ? (value as unknown[]) : [value];
    const text = items
      .map((item) => textOf(item, field))
      .filter((part) => part !== '')
      .join('\n')
      .slice(0, VALUE_CHARACTERS)
      .toWellFormed();
    const weight = kindOf(field).graphqlType === 'RichText' ? 'C' : 'B';
    return text === '' ? [] : [{ field: field.apiName, text, weight }];
  });
}

/** Where the text of an entry is. */
interface EntryValues {
  readonly values: FieldValues;
  /** Left out. */
  readonly titleField: string | null;
  /** The values of a block that `values` link, of published content. */
  readonly blockOf?: (id: string) => FieldValues | undefined;
}

/** Texts of an entry and then of its blocks. */
export function entryTexts(
  types: BlockTypes,
  type: BlockType,
  { values, titleField, blockOf }: EntryValues,
): FieldText[] {
  const whole = blockOf === undefined ? values : embedBlocks(type, values, { types, blockOf });
  return valueParts(types, type, whole).flatMap((part) =>
    fieldTexts(part.type.fields, part.values, part.block === null ? titleField : null).map((text) => ({
      ...text,
      field: `${part.name}${text.field}`,
    })),
  );
}
