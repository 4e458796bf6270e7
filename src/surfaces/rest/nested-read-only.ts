import { isObject } from '../../content/exact-json/is-object.js';
import { z } from 'zod';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

export type Path = readonly (string | number)[];

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly catchall?: z.ZodType;
}

const definitionOf = ({ def }: z.ZodType): Definition => def;

/** The alternatives of a union below wrappers such as `optional`, or the schema alone. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  const { innerType, in: input, options } = definitionOf(schema);
  const inner = innerType ?? input;
  if (inner !== undefined) return alternatives(inner);
  return options === undefined ? [schema] : options.flatMap(alternatives);
}

const elementsOf = (schemas: readonly z.ZodType[]): z.ZodType[] =>
  schemas.flatMap((schema) => {
    const { element } = definitionOf(schema);
    return element === undefined ? [] : alternatives(element);
  });

const objectsIn = (schemas: readonly z.ZodType[]): z.ZodObject[] =>
  schemas.filter((schema) => schema instanceof z.ZodObject);

/** Whether an object accepts unknown keys. */
const isOpen = (schema: z.ZodType): boolean =>
  !(definitionOf(schema).catchall instanceof z.ZodNever) && definitionOf(schema).catchall !== undefined;

/**
 * Keys of objects within a value that a read returns and its update does not take (rule http/input). Items of a list
 * are those of the current one that have the same required keys.
 */
export class NestedReadOnly {
  readonly #item: NestedReadOnly | undefined;
  readonly #readOnly: ReadonlySet<string>;
  readonly #below: ReadonlyMap<string, NestedReadOnly>;
  readonly #identity: readonly string[];

  private constructor(read: readonly z.ZodType[], update: readonly z.ZodType[]) {
    const [readItems, updateItems] = [elementsOf(read), elementsOf(update)];
    const hasItems = readItems.length > 0 && updateItems.length > 0;
    this.#item = hasItems ? NestedReadOnly.#unlessEmpty(readItems, updateItems) : undefined;
    const objects = objectsIn(update);
    const shapes = objects.some(isOpen) ? [] : objects.map(({ shape }) => shape);
    const keys = objectsIn(read).flatMap(({ shape }) => Object.entries(shape as Record<string, z.ZodType>));
    const below = new Map<string, NestedReadOnly>();
    const readOnly = new Set<string>();
    for (const [name, schema] of shapes.length === 0 ? [] : keys) {
      const takers = shapes.flatMap((shape) =>
        Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : [],
      );
      const inner = NestedReadOnly.#unlessEmpty(alternatives(schema), takers.flatMap(alternatives));
      if (takers.length === 0) readOnly.add(name);
      else if (inner !== undefined) below.set(name, inner);
    }
    this.#readOnly = readOnly;
    this.#below = below;
    this.#identity = shapes.flatMap((shape) =>
      Object.keys(shape).filter((name) => !(shape[name] as z.ZodType).safeParse(undefined).success),
    );
  }

  /** Undefined if the value has no such keys. */
  static of(read: z.ZodType, update: z.ZodType): NestedReadOnly | undefined {
    return NestedReadOnly.#unlessEmpty(alternatives(read), alternatives(update));
  }

  static #unlessEmpty(read: readonly z.ZodType[], update: readonly z.ZodType[]): NestedReadOnly | undefined {
    const nested = new NestedReadOnly(read, update);
    const isEmpty = nested.#item === undefined && nested.#readOnly.size === 0 && nested.#below.size === 0;
    return isEmpty ? undefined : nested;
  }

  /** Whether a value that was sent has such keys. */
  isIn(sent: unknown): boolean {
    return this.remove(sent, undefined).different.length > 0;
  }

  /** The value without them, and where they differ from the current value. */
  remove(sent: unknown, current: unknown, path: Path = []): { value: unknown; different: Path[] } {
    const different: Path[] = [];
    const item = this.#item;
    if (Array.isArray(sent) && item !== undefined) {
      const all = Array.isArray(current) ? (current as unknown[]) : [];
      const value = sent.map((one: unknown, index) => {
        const removed = item.remove(one, item.#same(all, one), [...path, index]);
        different.push(...removed.different);
        return removed.value;
      });
      return { value, different };
    }
    if (!isObject(sent)) return { value: sent, different };
    const known = isObject(current) ? current : {};
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(sent)) {
      const place = [...path, name];
      const removed = this.#below.get(name)?.remove(value, known[name], place);
      different.push(...(removed?.different ?? []));
      if (!this.#readOnly.has(name)) kept.push([name, removed === undefined ? value : removed.value]);
      else if (!Object.hasOwn(known, name) || !isEqualJson(value, known[name])) different.push(place);
    }
    return { value: Object.fromEntries(kept), different };
  }

  #same(items: readonly unknown[], sent: unknown): unknown {
    if (!isObject(sent)) return undefined;
    return items.find(
      (one) => isObject(one) && this.#identity.every((name) => isEqualJson(one[name], sent[name])),
    );
  }
}
