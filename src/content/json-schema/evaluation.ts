import type { Assertion } from './assertions.js';
import { spendWork } from './work.js';

/** Properties and items that a schema and those beside it have evaluated, for `unevaluatedProperties` and `…Items`. */
class Seen {
  readonly #keys = new Set<string>();
  readonly #indexes = new Set<number>();
  #hasAllKeys = false;
  /** Every item before this index. */
  #itemsBelow = 0;

  addKey(key: string): void {
    this.#keys.add(key);
  }

  addAllKeys(): void {
    this.#hasAllKeys = true;
  }

  addIndex(index: number): void {
    this.#indexes.add(index);
  }

  addItemsBelow(index: number): void {
    this.#itemsBelow = Math.max(this.#itemsBelow, index);
  }

  hasKey(key: string): boolean {
    return this.#hasAllKeys || this.#keys.has(key);
  }

  hasIndex(index: number): boolean {
    return index < this.#itemsBelow || this.#indexes.has(index);
  }

  merge(other: Seen): void {
    spendWork(other.#keys.size + other.#indexes.size);
    for (const key of other.#keys) this.#keys.add(key);
    for (const index of other.#indexes) this.#indexes.add(index);
    this.#hasAllKeys ||= other.#hasAllKeys;
    this.addItemsBelow(other.#itemsBelow);
  }
}

export interface Mismatch {
  readonly path: readonly (string | number)[];
  /** Continues "The value". */
  readonly message: string;
}

/** Applies one keyword with subschemas. */
export type Step = (evaluation: Evaluation, value: unknown, seen: Seen | undefined) => boolean;

/** A subschema ready to run. Filled after all nodes exist, because references may form cycles. */
export interface SchemaNode {
  /** Whether nothing matches. */
  readonly isFalse: boolean;
  /** Charged for each application. */
  readonly work: number;
  readonly assertions: readonly Assertion[];
  steps: readonly Step[];
  /** Whether it has `unevaluatedProperties` or `unevaluatedItems`. */
  readonly tracksSeen: boolean;
}

/** Checks one value; the first mismatch ends it. Branches of choices do not report theirs. */
export class Evaluation {
  mismatch: Mismatch | undefined;
  readonly #path: (string | number)[] = [];
  #quiet = 0;

  /** @param seen receives what the node evaluates, if the value matches */
  apply(node: SchemaNode, value: unknown, seen?: Seen): boolean {
    spendWork(node.work);
    if (node.isFalse) return this.fail('boolean schema is false');
    for (const assertion of node.assertions)
      if (!assertion.holds(value)) return this.#refuse(assertion, value);
    if (node.steps.length === 0) return true;
    const own = node.tracksSeen || seen !== undefined ? new Seen() : undefined;
    for (const step of node.steps) if (!step(this, value, own)) return false;
    if (own !== undefined) seen?.merge(own);
    return true;
  }

  applyBelow(node: SchemaNode, value: unknown, key: string | number): boolean {
    this.#path.push(key);
    const fits = this.apply(node, value);
    this.#path.pop();
    return fits;
  }

  /** Whether the value matches, without reporting a mismatch. */
  matches(node: SchemaNode, value: unknown, seen?: Seen): boolean {
    this.#quiet += 1;
    const fits = this.apply(node, value, seen);
    this.#quiet -= 1;
    return fits;
  }

  /** @param key of the value, if the mismatch is about it */
  fail(message: string, key?: string): false {
    if (this.#quiet === 0)
      this.mismatch = { path: [...this.#path, ...(key === undefined ? [] : [key])], message };
    return false;
  }

  #refuse({ message, missingIn }: Assertion, value: unknown): false {
    const missing = this.#quiet === 0 ? missingIn?.(value) : undefined;
    return this.fail(missing === undefined ? message : `${message} '${missing}'`, missing);
  }
}
