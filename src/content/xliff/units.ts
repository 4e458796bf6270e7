import type { RichTextNode } from '../../../contracts/rich-text.js';
import { translatedValues, type TranslatedValue } from '../blocks/translated-values.js';
import type { BlockType, BlockTypes } from '../blocks/value-parts.js';
import { kindOf } from '../field-kinds/index.js';
import { valueIn, type FieldValues } from '../model/field-definition.js';
import { isOwnBlock } from '../model/own-block.js';
import { baseName } from '../rich-text/vocabulary.js';
import { nodesOf, plainText, segmentOf, textSegment, type Inline, type Segment } from './inline.js';

/** A string, a block of rich text, or the caption or alternative text of an asset in it. */
export interface Unit {
  /** Unique in the entry: field and position. */
  readonly name: string;
  /** What is applied as a whole: a {@link TranslatedValue.mark}. */
  readonly field: string;
  readonly segment: Segment;
}

const textBlocks: ReadonlySet<string> = new Set(['paragraph', 'heading', 'codeBlock', 'definitionTerm']);

type Replace = (unit: Unit) => readonly Inline[];

const isDocument = (value: unknown): value is RichTextNode =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'doc';

/** The texts of a picture. */
function mapEmbed(node: RichTextNode, { field, name }: { field: string; name: string }, replace: Replace) {
  const attrs = { ...node.attrs };
  for (const key of ['caption', 'alt']) {
    const text = attrs[key];
    if (typeof text !== 'string' || text === '') continue;
    const segment = textSegment(text);
    attrs[key] = plainText(replace({ name: `${name}.${key}`, field, segment }), segment.codes);
  }
  return node.attrs === undefined ? node : { ...node, attrs };
}

/** Visits units in reading order and returns the node with their content replaced. */
function mapNode(node: RichTextNode, unit: { field: string; name: string }, replace: Replace): RichTextNode {
  const { field, name } = unit;
  const base = baseName(node.type);
  if (base === 'assetEmbed') return mapEmbed(node, unit, replace);
  if (node.content === undefined) return node;
  if (!textBlocks.has(base)) {
    const content = node.content.map((child, at) =>
      mapNode(child, { field, name: `${name}.${String(at)}` }, replace),
    );
    return { ...node, content };
  }
  const segment = segmentOf(node.content);
  if (segment.content.length === 0) return node;
  return { ...node, content: nodesOf(replace({ name, field, segment }), segment.codes) };
}

function mapValue(value: unknown, unit: { field: string; name: string }, replace: Replace): unknown {
  if (Array.isArray(value))
    return value.map((item, at) => mapValue(item, { ...unit, name: `${unit.name}.${String(at)}` }, replace));
  if (isDocument(value)) return mapNode(value, unit, replace);
  if (typeof value !== 'string' || value === '') return value;
  const segment = textSegment(value);
  return plainText(replace({ ...unit, segment }), segment.codes);
}

interface Replacement {
  readonly types: BlockTypes;
  readonly replace: Replace;
}

/** A field's value with the text in it replaced; in a list of blocks, that of fields that are localized. */
function mapField(
  { field: definition, value }: Pick<TranslatedValue, 'field' | 'value'>,
  unit: { field: string; name: string },
  replacement: Replacement,
): unknown {
  const { types, replace } = replacement;
  const { takesBlocks, isTranslatable } = kindOf(definition);
  if (!takesBlocks) return isTranslatable ? mapValue(value, unit, replace) : value;
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    const type = isOwnBlock(item) ? types.contentType(item._type) : undefined;
    if (type === undefined || !isOwnBlock(item)) return item;
    const at = `${unit.name}[${item._ref}].`;
    const mapped = type.fields
      .filter((inner) => inner.localized || kindOf(inner).takesBlocks)
      .flatMap((inner) => {
        const own = valueIn(item.fields, inner.apiName);
        if (own === undefined) return [];
        const place = { field: unit.field, name: `${at}${inner.apiName}` };
        return [[inner.apiName, mapField({ field: inner, value: own }, place, replacement)] as const];
      });
    return { ...item, fields: { ...item.fields, ...Object.fromEntries(mapped) } };
  });
}

/** Text of an entry and of its blocks. */
export function unitsOf(types: BlockTypes, type: BlockType, values: FieldValues): Unit[] {
  const units: Unit[] = [];
  for (const translated of translatedValues(types, type, values))
    mapField(
      translated,
      { field: translated.mark, name: translated.mark },
      {
        types,
        replace: (unit) => {
          units.push(unit);
          return unit.segment.content;
        },
      },
    );
  return units;
}

/** The fields with text to translate. */
export const writtenFields = (types: BlockTypes, type: BlockType, values: FieldValues): ReadonlySet<string> =>
  new Set(unitsOf(types, type, values).map(({ field }) => field));

/** The value of a field with the content of its units replaced, by name. */
export const withTargets = (
  types: BlockTypes,
  translated: Pick<TranslatedValue, 'mark' | 'field' | 'value'>,
  targets: ReadonlyMap<string, readonly Inline[]>,
): unknown =>
  mapField(
    translated,
    { field: translated.mark, name: translated.mark },
    { types, replace: ({ name, segment }) => targets.get(name) ?? segment.content },
  );
