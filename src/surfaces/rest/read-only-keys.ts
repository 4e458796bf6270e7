import { z } from 'zod';
import { AppError, invalidInput } from '../../../contracts/errors.js';
import { isObserved } from '../../../contracts/primitives.js';
import { assertPermitted } from '../../access/authorize.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import type { BoundOperation, OperationScope } from '../../procedures/index.js';
import { closest, distance } from 'fastest-levenshtein';
import { isObject } from '../../content/exact-json/is-object.js';

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

type Values = Readonly<Record<string, unknown>>;

interface SentBody {
  readonly path: Values;
  readonly body: Values;
}

/** The resource's own shape: `data` of the read. */
function shapeOf({ output }: BoundOperation): Readonly<Record<string, z.ZodType>> {
  const data: unknown = output instanceof z.ZodObject ? output.shape.data : undefined;
  return data instanceof z.ZodObject ? data.shape : {};
}

const pick = (values: Values, isPicked: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name)));

/**
 * Keys that a PUT does not take, but that GET of the same path returns, in the body and in objects within it. A body may
 * contain them if they equal the current values (rule http/input), so that what was read can be changed and sent back.
 */
export class ReadOnlyKeys {
  readonly #shape;
  readonly #nested: ReadonlyMap<string, NestedReadOnly>;

  constructor(
    private readonly update: BoundOperation,
    private readonly read: BoundOperation,
    private readonly inPath: ReadonlySet<string>,
  ) {
    this.#shape = shapeOf(read);
    this.#nested = new Map(
      Object.entries(this.#shape).flatMap(([name, schema]) => {
        const taken = this.#takes(name) ? (update.input.shape[name] as z.ZodType) : undefined;
        const nested = taken && NestedReadOnly.of(schema, taken);
        return nested === undefined ? [] : [[name, nested] as const];
      }),
    );
  }

  /**
   * The body without these keys.
   * @throws AppError 422 `read_only`, and what the read throws
   */
  async remove(scope: OperationScope, sent: SentBody): Promise<Values> {
    const { body } = sent;
    const readOnly = Object.keys(body).filter((name) => this.#isReadOnly(name));
    const hasNested = Object.entries(body).some(([name, value]) => this.#nested.get(name)?.isIn(value));
    if (readOnly.length === 0 && !hasNested) return body;
    const sentKeys = pick(body, (name) => !readOnly.includes(name));
    // The operation rejects the rest.
    if (this.#hasUnknownKeys(sentKeys)) return sentKeys;
    const current = await this.#current(scope, sent);
    const { writable, different } = this.#withoutNested(sentKeys, current);
    // An outdated body is a version conflict.
    if ('version' in writable && writable.version !== current.version) return writable;
    const isSame = (name: string): boolean => isEqualJson(current[name] ?? null, body[name]);
    different.push(
      ...readOnly.filter((name) => !isSame(name) && !this.#isObserved(name)).map((name): Path => [name]),
    );
    if (different.length > 0) throw readOnlyFailure(different);
    const change = pick(writable, (name) => this.#isSelector(name) || !isSame(name));
    const isChange = (name: string): boolean => !this.#isSelector(name) && Object.hasOwn(this.#shape, name);
    if (Object.keys(change).some(isChange)) return change;
    // Nothing of the resource differs: keep what is valid, as in any other update to equal values.
    const isKept = (name: string): boolean =>
      !isSame(name) || (body[name] !== null && this.#isValid(name, writable[name]));
    return pick(writable, (name) => this.#isSelector(name) || isKept(name));
  }

  #withoutNested(sent: Values, current: Values): { writable: Values; different: Path[] } {
    const different: Path[] = [];
    const writable = Object.entries(sent).map(([name, value]) => {
      const removed = this.#nested.get(name)?.remove(value, current[name], [name]);
      different.push(...(removed?.different ?? []));
      return [name, removed === undefined ? value : removed.value] as const;
    });
    return { writable: Object.fromEntries(writable), different };
  }

  #isReadOnly(name: string): boolean {
    return Object.hasOwn(this.#shape, name) && (this.inPath.has(name) || !this.#takes(name));
  }

  #takes(name: string): boolean {
    return Object.hasOwn(this.update.input.shape, name);
  }

  #isObserved(name: string): boolean {
    const schema = this.#shape[name];
    return schema !== undefined && isObserved(schema);
  }

  #hasUnknownKeys(writable: Values): boolean {
    return Object.keys(writable).some((name) => this.inPath.has(name) || !this.#takes(name));
  }

  /** Says which state is read or expected, not what changes. */
  #isSelector(name: string): boolean {
    return name === 'version' || Object.hasOwn(this.read.input.shape, name);
  }

  #isValid(name: string, value: unknown): boolean {
    return (this.update.input.shape[name] as z.ZodType).safeParse(value).success;
  }

  async #current(scope: OperationScope, { path, body }: SentBody): Promise<Values> {
    const { principal, catalog } = scope;
    const { meta, input } = this.read;
    const environmentSlug = catalog?.data.environment.slug ?? null;
    assertPermitted(principal, meta, { surface: 'rest', environmentSlug });
    const selectors = pick(body, (name) => this.#takes(name) && Object.hasOwn(input.shape, name));
    const { data } = (await this.read.run(scope, { ...selectors, ...path })) as { data: Values };
    return data;
  }
}

function readOnlyFailure(paths: readonly Path[]): AppError {
  const issues = paths.map((path) => ({
    path: [...path],
    code: 'read_only',
    message: `${String(path.at(-1))} cannot be changed here. Omit it or send its current value.`,
  }));
  return new AppError('read_only', { issues });
}

/** Undefined unless the operation is a PUT with a GET at the same path. */
export function readOnlyKeysOf(
  update: BoundOperation,
  operations: readonly BoundOperation[],
): ReadOnlyKeys | undefined {
  const { openapi } = update.meta;
  if (openapi?.method !== 'PUT') return undefined;
  const read = operations.find(
    ({ meta }) => meta.openapi?.method === 'GET' && meta.openapi.path === openapi.path,
  );
  const inPath = new Set([...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return read && new ReadOnlyKeys(update, read, inPath);
}

/** Refused in lists of management and platform, where a misspelt filter would return everything (rule lists/filters). */
export function refusesUnknownParameters({ meta, input }: BoundOperation): boolean {
  return meta.audience !== 'delivery' && meta.openapi?.method === 'GET' && 'limit' in input.shape;
}

/** Names further apart than this have nothing in common. */
const isNear = (name: string, known: string): boolean =>
  distance(name, known) <= Math.max(2, Math.floor(known.length / 2));

function messageFor(name: string, known: readonly string[]): string {
  const nearest = closest(name.slice(0, 100), known);
  return isNear(name.slice(0, 100), nearest)
    ? `Unknown parameter. Did you mean ${nearest}?`
    : `Unknown parameter. Known parameters: ${known.join(', ')}.`;
}

/** @param known names of the parameters, at least one */
export const unknownParameters = (names: readonly string[], known: readonly string[]): AppError =>
  invalidInput(
    ...names
      .slice(0, 10)
      .map((name) => ({ path: [name], code: 'unknown_parameter', message: messageFor(name, known) })),
  );
