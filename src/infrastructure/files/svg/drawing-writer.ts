import { ComplexFile } from '../complex-file.js';
import {
  svgLimits,
  allowedAttributes,
  allowedElements,
  isEditorName,
  isPlainAttribute,
  SVG_NAMESPACE,
  unwrappedElements,
  XLINK_NAMESPACE,
  CssCheck,
  isSafeValue,
  RemovedParts,
} from './check-css.js';

interface Part {
  elements: number;
  readonly references: string[];
}

const FRAGMENTS = /url\(\s*['"]?#([^'")\s]+)/gi;

const empty = (): Part => ({ elements: 0, references: [] });

/**
 * Counts the elements that a drawing makes with its references: ten groups that each use the one before twice are a
 * thousand elements.
 */
class ReferenceBudget {
  readonly #whole = empty();
  readonly #parts = new Map<string, Part>();
  /** The innermost last; undefined for elements without an id. */
  readonly #open: (Part | undefined)[] = [];
  readonly #costs = new Map<string, number>();

  open(attributes: ReadonlyMap<string, string>): void {
    const id = attributes.get('id');
    const part = id === undefined ? undefined : (this.#parts.get(id) ?? empty());
    if (id !== undefined && part !== undefined) this.#parts.set(id, part);
    this.#open.push(part);
    const targets = [...attributes].flatMap(([name, value]) => {
      if (name === 'href' || name === 'xlink:href') return value.startsWith('#') ? [value.slice(1)] : [];
      return value.includes('url(') ? [...value.matchAll(FRAGMENTS)].map(([, target = '']) => target) : [];
    });
    for (const outer of new Set([this.#whole, ...this.#open])) {
      if (outer === undefined) continue;
      outer.elements += 1;
      outer.references.push(...targets);
    }
  }

  close(): void {
    this.#open.pop();
  }

  /** @throws ComplexFile */
  assert(): void {
    this.#costOf(this.#whole, 0);
  }

  #costOf({ elements, references }: Part, hops: number): number {
    const maximum = svgLimits.references;
    // A circle as well.
    if (hops > svgLimits.hops) throw new ComplexFile('references', maximum);
    let cost = elements;
    for (const target of references) {
      const part = this.#parts.get(target);
      if (part === undefined) continue;
      const known = this.#costs.get(target) ?? this.#costOf(part, hops + 1);
      this.#costs.set(target, known);
      cost += known;
      if (cost > maximum) throw new ComplexFile('references', maximum);
    }
    return cost;
  }
}

/** Written when its check has ended. */
interface PendingPicture {
  readonly attribute: string;
  readonly url: string;
  readonly before: string;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escape = (text: string): string =>
  text.replace(
    /[&<>"\t\n\r]/g,
    (character) => references[character] ?? `&#${String(character.charCodeAt(0))};`,
  );
const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => references[character] ?? '');

/** Characters that no XML document may have. */
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const isReference = (name: string): boolean => name === 'href' || name === 'xlink:href';

type Fate = 'written' | 'unwrapped' | 'style' | 'removed';

/** Writes the allowed parts of a drawing as its parser finds them. */
export class DrawingWriter {
  readonly removed = new RemovedParts();
  readonly pictures: PendingPicture[] = [];
  readonly #css = new CssCheck(this.removed);
  readonly #budget = new ReferenceBudget();
  readonly #open: { readonly name: string; readonly fate: Fate }[] = [];
  #pieces: string[] = [];
  #sheet = '';
  #elements = 0;
  #hasRoot = false;
  #isComplete = false;

  /** What follows the last picture; undefined without a drawing. @throws ComplexFile */
  finish(): string | undefined {
    this.#budget.assert();
    return this.#isComplete ? this.#pieces.join('') : undefined;
  }

  open(name: string, given: Readonly<Record<string, string>>): void {
    this.#elements += 1;
    if (this.#elements > svgLimits.elements) throw new ComplexFile('elements', svgLimits.elements);
    if (this.#open.length >= svgLimits.depth) throw new ComplexFile('depth', svgLimits.depth);
    const fate = this.#isComplete ? 'removed' : this.#fateOf(name, given);
    this.#open.push({ name, fate });
    if (fate !== 'written' && fate !== 'style') return;
    this.#hasRoot = true;
    const attributes = this.#attributesOf(name, given);
    if (fate === 'written') this.#budget.open(attributes);
    this.#pieces.push(`<${name}`);
    for (const [key, value] of attributes) this.#writeAttribute(name, key, value);
    this.#pieces.push('>');
    this.#sheet = '';
  }

  text(text: string): void {
    const fate = this.#open.at(-1)?.fate;
    if (fate === 'style') this.#sheet += text;
    else if (fate === 'written' || fate === 'unwrapped')
      this.#pieces.push(escapeText(text.replace(NO_XML, '').toWellFormed()));
  }

  close(): void {
    const { name, fate } = this.#open.pop() ?? { name: '', fate: 'removed' };
    if (fate === 'style') this.#pieces.push(escapeText(this.#css.sheet(this.#sheet)));
    if (fate === 'written') this.#budget.close();
    if (fate === 'written' || fate === 'style') this.#writeEnd(name);
    if (this.#open.length === 0 && this.#hasRoot) this.#isComplete = true;
  }

  #writeEnd(name: string): void {
    const isEmpty = this.#pieces.at(-1) === '>';
    if (isEmpty) this.#pieces[this.#pieces.length - 1] = '/>';
    else this.#pieces.push(`</${name}>`);
  }

  #fateOf(name: string, given: Readonly<Record<string, string>>): Fate {
    const outer = this.#open.at(-1)?.fate;
    // Everything in a removed element goes with it.
    if (outer === 'removed' || outer === 'style') return 'removed';
    if (outer === undefined && name !== 'svg') return this.#remove(name);
    if (isEditorName(name)) return 'removed';
    if (unwrappedElements.has(name)) {
      this.removed.add('element', name);
      return 'unwrapped';
    }
    if (!allowedElements.has(name)) return this.#remove(name);
    if (name !== 'style') return this.#isPicture(name, given) ? 'written' : this.#remove(name);
    return /^(?:text\/css)?$/i.test((given.type ?? '').trim()) ? 'style' : this.#remove(name);
  }

  #remove(name: string): 'removed' {
    this.removed.add('element', name);
    return 'removed';
  }

  /** An `image` without an embedded picture shows nothing, or asks another server. */
  #isPicture(name: string, given: Readonly<Record<string, string>>): boolean {
    return name !== 'image' || /^\s*data:/i.test(given.href ?? given['xlink:href'] ?? '');
  }

  #attributesOf(element: string, given: Readonly<Record<string, string>>): Map<string, string> {
    const entries = Object.entries(given);
    if (entries.length > svgLimits.attributes) throw new ComplexFile('attributes', svgLimits.attributes);
    return new Map(
      entries.flatMap(([name, given]): [string, string][] => {
        const value = given.replace(NO_XML, '').toWellFormed();
        if (name === 'style') {
          const style = this.#css.declarations(value);
          return style === undefined ? [] : [[name, style]];
        }
        if (this.#isAllowed(element, name, value)) return [[name, value]];
        if (!isEditorName(name) && name !== 'xmlns')
          this.removed.add(isReference(name) ? 'reference' : 'attribute', name);
        return [];
      }),
    );
  }

  #isAllowed(element: string, name: string, value: string): boolean {
    if (name === 'xmlns') return value === SVG_NAMESPACE;
    if (name === 'xmlns:xlink') return value === XLINK_NAMESPACE;
    if (isReference(name)) return element === 'image' || value.trim().startsWith('#');
    if (isPlainAttribute(name)) return true;
    if (element === 'style' && name === 'type') return true;
    return allowedAttributes.has(name) && isSafeValue(value);
  }

  #writeAttribute(element: string, name: string, value: string): void {
    if (element !== 'image' || !isReference(name)) {
      this.#pieces.push(` ${name}="${escape(value)}"`);
      return;
    }
    this.pictures.push({ attribute: name, url: value, before: this.#pieces.join('') });
    this.#pieces = [];
  }
}
