import { spendWork } from './work.js';

/** Properties and items that a schema and those beside it have evaluated, for `unevaluatedProperties` and `…Items`. */
export class Seen {
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
