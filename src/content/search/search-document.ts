import type { RichTextNode } from '../../../contracts/rich-text.js';
import { valueIn, type FieldValues, type FieldDefinition } from '../model/field-definition.js';
import { isObject } from '../exact-json/is-object.js';
import { blockFieldsOf, valueParts, type BlockType, type BlockTypes } from '../blocks/value-parts.js';
import { kindOf } from '../field-kinds/index.js';
import { toText } from '../rich-text/to-html.js';

interface KnownBlocks {
  readonly types: BlockTypes;
  blockOf(id: string): FieldValues | undefined;
}

/**
 * Delivered values, in which own blocks are links, with the values of these blocks in their places on all levels.
 * Links to shared blocks stay.
 */
function embedBlocks(type: BlockType, values: FieldValues, known: KnownBlocks): FieldValues {
  const fields = blockFieldsOf(type);
  if (fields.length === 0) return values;
  const lists = fields.map((field) => [
    field.apiName,
    itemsOf(valueIn(values, field.apiName)).map((item) => embed(item, known)),
  ]);
  return { ...values, ...(Object.fromEntries(lists) as FieldValues) };
}

/** A group is delivered as one object. */
const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? [value] : [];

function embed(item: unknown, known: KnownBlocks): unknown {
  if (!isObject(item) || typeof item._ref !== 'string' || typeof item._type !== 'string') return item;
  const [own, type] = [known.blockOf(item._ref), known.types.contentType(item._type)];
  return own === undefined || type === undefined ? item : { ...item, fields: embedBlocks(type, own, known) };
}

/** A: title; B: other text; C: rich text; D: assets (rule search/index). */
export type TextWeight = 'A' | 'B' | 'C' | 'D';

export interface SearchText {
  readonly text: string;
  readonly weight: TextWeight;
  /** Tells its words from those of other fields where one has a boost. */
  readonly mark?: string | undefined;
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
interface FieldText extends SearchText {
  readonly field: string;
  readonly fieldId: string;
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
    return text === '' ? [] : [{ field: field.apiName, fieldId: field.id, text, weight }];
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
