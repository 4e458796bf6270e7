export type PartKind = 'element' | 'attribute' | 'style' | 'reference' | 'image';

/** Names that warnings list. */
const MAXIMUM_NAMES = 30;
const LONGEST_NAME = 60;

/** Collects what is removed from a drawing. */
export class RemovedParts {
  readonly #counts = new Map<string, number>();
  #unnamed = 0;

  add(kind: PartKind, name: string): void {
    const part = `${kind} ${name.slice(0, LONGEST_NAME).toWellFormed()}`;
    const known = this.#counts.get(part);
    if (known === undefined && this.#counts.size >= MAXIMUM_NAMES) this.#unnamed += 1;
    else this.#counts.set(part, (known ?? 0) + 1);
  }

  /** In the order of the drawing: `element script (2)`. */
  list(): string[] {
    const named = [...this.#counts].map(([part, count]) =>
      count === 1 ? part : `${part} (${String(count)})`,
    );
    return this.#unnamed === 0 ? named : [...named, `${String(this.#unnamed)} more`];
  }
}
