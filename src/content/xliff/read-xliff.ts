import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { Problem } from '../model/problem.js';
import type { Inline } from './inline.js';

export interface ReadUnit {
  /** Null where the unit has no target. */
  readonly target: readonly Inline[] | null;
  readonly state: string;
}

export interface ReadXliff {
  readonly sourceLocale: string;
  readonly targetLocale: string | null;
  readonly original: string;
  /** By id. */
  readonly units: ReadonlyMap<string, ReadUnit>;
}

/** Ends reading at the first problem. */
export class XliffProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

const NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0';
const CHUNK = 16_384;
const MAXIMUM_UNITS = 20_000;
const MAXIMUM_DEPTH = 50;

const refuse = (path: Problem['path'], code: string, message: string): never => {
  throw new XliffProblem({ path, code, message });
};

const attributeOf = (tag: SaxesTagNS, name: string): string | null => tag.attributes[name]?.value ?? null;

interface OpenUnit {
  readonly id: string;
  state: string;
  target: Inline[] | null;
}

/** Collects the targets of a document. Only elements of XLIFF's core are looked at. */
class XliffReader {
  readonly units = new Map<string, ReadUnit>();
  root: { sourceLocale: string; targetLocale: string | null } | undefined;
  original: string | undefined;
  #unit: OpenUnit | undefined;
  /** The target and the codes open in it, outermost first. */
  #content: Inline[][] = [];
  #depth = 0;

  open(tag: SaxesTagNS): void {
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) refuse(['xliff'], 'too_deep', 'The elements are nested too deeply.');
    if (this.#depth === 1) return this.#openRoot(tag);
    if (tag.uri !== NAMESPACE) return;
    if (this.#content.length > 0) return this.#openCode(tag);
    if (tag.local === 'file') this.#openFile(tag);
    else if (tag.local === 'unit') this.#openUnit(tag);
    else if (this.#unit !== undefined && tag.local === 'segment')
      this.#unit.state = lowest(this.#unit.state, attributeOf(tag, 'state') ?? 'initial');
    else if (this.#unit !== undefined && tag.local === 'target') {
      this.#unit.target ??= [];
      this.#content = [this.#unit.target];
    }
  }

  text(text: string): void {
    this.#content.at(-1)?.push({ kind: 'text', text });
  }

  close(tag: SaxesTagNS): void {
    this.#depth -= 1;
    if (tag.uri !== NAMESPACE) return;
    if (tag.local === 'target') this.#content = [];
    else if (this.#content.length > 0 && tag.local === 'pc') this.#content.pop();
    else if (tag.local === 'unit' && this.#unit !== undefined) {
      const { id, target, state } = this.#unit;
      this.units.set(id, { target, state });
      this.#unit = undefined;
    }
  }

  #openRoot(tag: SaxesTagNS): void {
    if (tag.uri !== NAMESPACE || tag.local !== 'xliff' || attributeOf(tag, 'version') !== '2.0')
      refuse(['xliff'], 'unsupported_version', 'The file must be XLIFF 2.0.');
    this.root = {
      sourceLocale: attributeOf(tag, 'srcLang') ?? '',
      targetLocale: attributeOf(tag, 'trgLang'),
    };
  }

  #openFile(tag: SaxesTagNS): void {
    if (this.original !== undefined)
      refuse(['xliff', 'file'], 'several_files', 'The file must hold one entry.');
    this.original = attributeOf(tag, 'original') ?? '';
  }

  #openUnit(tag: SaxesTagNS): void {
    const id = attributeOf(tag, 'id') ?? '';
    if (this.units.has(id)) refuse(['xliff', 'file', id], 'repeated_unit', 'A unit must appear once.');
    if (this.units.size >= MAXIMUM_UNITS)
      refuse(['xliff', 'file'], 'too_many_units', 'The file has too many units.');
    this.#unit = { id, state: 'final', target: null };
  }

  #openCode(tag: SaxesTagNS): void {
    const id = attributeOf(tag, 'id') ?? '';
    const top = this.#content.at(-1);
    if (tag.local === 'ph') top?.push({ kind: 'ph', id });
    else if (tag.local === 'cp') this.text(characterOf(attributeOf(tag, 'hex')));
    else if (tag.local === 'pc') {
      const content: Inline[] = [];
      top?.push({ kind: 'pc', id, content });
      this.#content.push(content);
    } else if (tag.local !== 'mrk')
      refuse(
        ['xliff', 'file', this.#unit?.id ?? ''],
        'unsupported_code',
        `Codes must be pc or ph, not ${tag.local}.`,
      );
  }
}

const order = ['initial', 'translated', 'reviewed', 'final'];
const lowest = (one: string, other: string): string =>
  order.indexOf(other) < order.indexOf(one) ? other : one;

function characterOf(hex: string | null): string {
  const code = /^[0-9A-Fa-f]{1,6}$/.test(hex ?? '') ? Number.parseInt(hex ?? '', 16) : Number.NaN;
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter
    ? String.fromCodePoint(code)
    : refuse(['xliff'], 'invalid_character', 'cp names no character.');
}

/**
 * Reads the targets of an XLIFF 2.0 document in steps, so that other work runs between them. Document types are
 * refused, and with them entities.
 * @throws XliffProblem
 */
export function* readXliff(xml: string): Generator<undefined, ReadXliff> {
  const reader = new XliffReader();
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('doctype', () => refuse(['xliff'], 'doctype', 'Document types and entities are not accepted.'));
  parser.on('error', ({ message }) => refuse(['xliff'], 'malformed_xml', `The XML is malformed: ${message}`));
  parser.on('opentag', (tag) => {
    reader.open(tag);
  });
  parser.on('text', (text) => {
    reader.text(text);
  });
  parser.on('cdata', (text) => {
    reader.text(text);
  });
  parser.on('closetag', (tag) => {
    reader.close(tag);
  });
  for (let at = 0; at < xml.length; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK));
    yield;
  }
  parser.close();
  if (reader.root === undefined || reader.original === undefined)
    return refuse(['xliff', 'file'], 'no_file', 'The document has no file.');
  return { ...reader.root, original: reader.original, units: reader.units };
}
