import { ComplexFile } from '../complex-file.js';
import { svgLimits } from './svg-limits.js';

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
export class ReferenceBudget {
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
