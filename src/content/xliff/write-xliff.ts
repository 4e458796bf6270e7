import type { RichTextNode } from '../../../contracts/rich-text.js';
import { translatedValues, type TranslatedValue } from '../blocks/translated-values.js';
import type { BlockType, BlockTypes } from '../blocks/value-parts.js';
import { kindOf } from '../field-kinds/index.js';
import { valueIn, type FieldValues } from '../model/field-definition.js';
import { isOwnBlock } from '../model/own-block.js';
import { baseName } from '../rich-text/vocabulary.js';
import {
  nodesOf,
  plainText,
  segmentOf,
  textSegment,
  type Inline,
  type Segment,
  type Atom,
  type Codes,
} from './inline.js';

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

export type SegmentState = 'initial' | 'translated' | 'final';

interface ExportedUnit extends Unit {
  /** Hash of the source field. */
  readonly hash: string;
  readonly target: string | null;
  readonly state: SegmentState;
}

interface ExportedEntry {
  readonly entryId: string;
  /** Version of the source. */
  readonly version: number;
  readonly sourceLocale: string;
  readonly targetLocale: string;
  readonly units: readonly ExportedUnit[];
}

/** Names that XLIFF files give to an entry at a version, and to a unit. */
export const originalOf = (entryId: string, version: number): string =>
  `entry/${entryId}/versions/${String(version)}`;
/** Brackets of paths must not be in ids of XLIFF: `sections[<id>].title` is `sections.<id>.title`. */
export const unitIdOf = ({ name, hash }: Pick<ExportedUnit, 'name' | 'hash'>): string =>
  `${name.replaceAll('[', '.').replaceAll(']', '')}-${hash}`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escapeAttribute = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (one) => escapes[one] ?? one);

/** Characters that XML 1.0 cannot hold are `<cp hex="…"/>`. */
const escapeText = (text: string): string =>
  text
    .replace(/[&<>\r]/g, (one) => escapes[one] ?? one)
    .replace(
      /[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
      (one) => `<cp hex="${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}"/>`,
    );

const markType = (type: string): string => (type === 'link' ? 'link' : 'fmt');
const labelOf = (atom: Atom): string => ('placeholder' in atom ? atom.placeholder : atom.node.type);
const fixed = 'canCopy="no" canDelete="no"';

function inlineXml(content: readonly Inline[], codes: Codes): string {
  return content
    .map((inline) => {
      if (inline.kind === 'text') return escapeText(inline.text);
      if (inline.kind === 'ph') {
        const label = escapeAttribute(labelOf(codes.atoms.get(inline.id) ?? { placeholder: '' }));
        return `<ph id="${inline.id}" dataRef="d_${inline.id}" disp="${label}" ${fixed}/>`;
      }
      const { type = '' } = codes.marks.get(inline.id) ?? {};
      const kind = `type="${markType(type)}" subType="hw:${escapeAttribute(type)}"`;
      return `<pc id="${inline.id}" ${kind} dataRefStart="d_${inline.id}" ${fixed}>${inlineXml(inline.content, codes)}</pc>`;
    })
    .join('');
}

function originalData({ marks, atoms }: Codes): string {
  const data = [
    ...[...marks].map(([id, mark]) => [id, JSON.stringify(mark)]),
    ...[...atoms].map(([id, atom]) => [
      id,
      'placeholder' in atom ? atom.placeholder : JSON.stringify(atom.node),
    ]),
  ].map(([id = '', value = '']) => `<data id="d_${id}">${escapeText(value)}</data>`);
  return data.length === 0 ? '' : `<originalData>${data.join('')}</originalData>`;
}

function unitXml(unit: ExportedUnit): string {
  const { name, segment, target, state } = unit;
  const source = inlineXml(segment.content, segment.codes);
  const translation = target === null ? '' : `<target xml:space="preserve">${escapeText(target)}</target>`;
  return (
    `<unit id="${unitIdOf(unit)}" name="${name}" xml:space="preserve">${originalData(segment.codes)}` +
    `<segment state="${state}"><source xml:space="preserve">${source}</source>${translation}</segment></unit>`
  );
}

/** An XLIFF 2.0 document with one file for the entry. */
export function writeXliff({ entryId, version, sourceLocale, targetLocale, units }: ExportedEntry): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="${sourceLocale}" trgLang="${targetLocale}">`,
    `<file id="f1" original="${originalOf(entryId, version)}">`,
    ...units.map(unitXml),
    '</file>',
    '</xliff>',
    '',
  ].join('\n');
}
