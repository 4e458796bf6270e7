import type { RichTextNode } from '../../../contracts/rich-text.js';
import { kindOf } from '../field-kinds/index.js';
import { type FieldDefinition, valueIn, type FieldValues } from '../model/field-definition.js';
import { baseName } from '../rich-text/vocabulary.js';
import { nodesOf, plainText, segmentOf, textSegment, type Inline, type Segment } from './inline.js';

/** A string, a block of rich text, or the caption of an asset in it. */
export interface Unit {
  /** Unique in the entry: field and position. */
  readonly name: string;
  readonly field: string;
  readonly segment: Segment;
}

const textBlocks: ReadonlySet<string> = new Set(['paragraph', 'heading', 'codeBlock', 'definitionTerm']);

type Replace = (unit: Unit) => readonly Inline[];

const isDocument = (value: unknown): value is RichTextNode =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'doc';

/** Visits units in reading order and returns the node with their content replaced. */
function mapNode(node: RichTextNode, unit: { field: string; name: string }, replace: Replace): RichTextNode {
  const { field, name } = unit;
  const base = baseName(node.type);
  const caption = node.attrs?.caption;
  if (base === 'assetEmbed' && typeof caption === 'string' && caption !== '') {
    const segment = textSegment(caption);
    const content = replace({ name: `${name}.caption`, field, segment });
    return { ...node, attrs: { ...node.attrs, caption: plainText(content, segment.codes) } };
  }
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

/** The fields whose text is translated, with values. */
const translated = (fields: readonly FieldDefinition[], values: FieldValues): FieldDefinition[] =>
  fields.filter(
    (field) =>
      field.localized && kindOf(field).isTranslatable && valueIn(values, field.apiName) !== undefined,
  );

export function unitsOf(fields: readonly FieldDefinition[], values: FieldValues): Unit[] {
  const units: Unit[] = [];
  for (const { apiName } of translated(fields, values)) {
    mapValue(valueIn(values, apiName), { field: apiName, name: apiName }, (unit) => {
      units.push(unit);
      return unit.segment.content;
    });
  }
  return units;
}

/** The fields with text to translate; none without values. */
export const writtenFields = (
  fields: readonly FieldDefinition[],
  values: FieldValues | undefined,
): ReadonlySet<string> =>
  new Set(values === undefined ? [] : unitsOf(fields, values).map(({ field }) => field));

/** The value of a field with the content of its units replaced, by name. */
export function withTargets(
  source: FieldValues,
  field: string,
  targets: ReadonlyMap<string, readonly Inline[]>,
): unknown {
  return mapValue(
    valueIn(source, field),
    { field, name: field },
    ({ name, segment }) => targets.get(name) ?? segment.content,
  );
}
