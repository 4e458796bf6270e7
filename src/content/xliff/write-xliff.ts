import type { Atom, Codes, Inline } from './inline.js';
import type { Unit } from './units.js';

export type SegmentState = 'initial' | 'translated' | 'final';

export interface ExportedUnit extends Unit {
  /** Hash of the source field. */
  readonly hash: string;
  readonly target: string | null;
  readonly state: SegmentState;
}

export interface ExportedEntry {
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
