import { z } from 'zod';

export interface KeyPlace {
  /** From the root of the output. */
  readonly path: string;
  /** From the nearest shape with an id, such as `Site.isActive`; equal to the path if there is none. */
  readonly key: string;
}

/** The keys of an output schema. A record or an unknown value is one key, whatever it contains. */
export type KeyTree =
  | ({ readonly kind: 'leaf' } & KeyPlace)
  | {
      readonly kind: 'object';
      readonly keys: ReadonlyMap<string, KeyTree>;
      /** Keys that only some alternatives of a union have: their absence is no value. */
      readonly partial: ReadonlySet<string>;
    }
  | { readonly kind: 'array'; readonly item: KeyTree }
  /** A value that its schema fixes, or a schema within itself. */
  | { readonly kind: 'fixed' };

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}

const definitionOf = ({ def }: z.ZodType): Definition => def;

/** Below wrappers such as `nullable`. */
function bare(schema: z.ZodType): z.ZodType {
  const { innerType, out, getter } = definitionOf(schema);
  const inner = innerType ?? out ?? getter?.();
  return inner === undefined ? schema : bare(inner);
}

/** The alternatives of a union, or the schema alone. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  const known = bare(schema);
  const { options } = definitionOf(known);
  return options === undefined ? [known] : options.flatMap(alternatives);
}

const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined =>
  schema instanceof z.ZodObject ? schema.shape : undefined;

function isFixed(schema: z.ZodType): boolean {
  const { type, values, entries } = definitionOf(schema);
  return (
    (type === 'literal' && values?.length === 1) ||
    (type === 'enum' && Object.keys(entries ?? {}).length === 1)
  );
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** One alternative of a value. */
interface Alternative {
  readonly schema: z.ZodType;
  /** Its id, or the key of the value. */
  readonly key: string;
}

/** @param above the schemas that contain this one */
function treeOf(given: readonly Alternative[], path: string, above: ReadonlySet<z.ZodType>): KeyTree {
  const all = given.flatMap(({ schema, key }) =>
    alternatives(schema).map((one): Alternative => ({ schema: one, key: one.meta()?.id ?? key })),
  );
  if (all.some(({ schema }) => above.has(schema))) return { kind: 'fixed' };
  const within = new Set([...above, ...all.map(({ schema }) => schema)]);
  const names = new Set(all.flatMap(({ schema }) => Object.keys(shapeOf(schema) ?? {})));
  if (names.size > 0) {
    const keys = [...names].map((name): [string, KeyTree] => {
      const values = all.flatMap(({ schema, key }): Alternative[] => {
        const value = shapeOf(schema)?.[name];
        return value === undefined ? [] : [{ schema: value, key: below(key, name) }];
      });
      return [name, treeOf(values, below(path, name), within)];
    });
    const lacks = (schema: z.ZodType, name: string): boolean => {
      const shape = shapeOf(schema);
      return shape !== undefined && !(name in shape);
    };
    const partial = new Set([...names].filter((name) => all.some(({ schema }) => lacks(schema, name))));
    return { kind: 'object', keys: new Map(keys), partial };
  }
  const elements = all.flatMap(({ schema, key }): Alternative[] => {
    const { element } = definitionOf(schema);
    return element === undefined ? [] : [{ schema: element, key: `${key}[]` }];
  });
  if (elements.length > 0) return { kind: 'array', item: treeOf(elements, `${path}[]`, within) };
  const [first] = all;
  const isLeaf = first !== undefined && (all.length > 1 || !isFixed(first.schema));
  return isLeaf ? { kind: 'leaf', path, key: first.key } : { kind: 'fixed' };
}

export const keyTreeOf = (schema: z.ZodType): KeyTree => treeOf([{ schema, key: '' }], '', new Set());

export function placesOf(tree: KeyTree): KeyPlace[] {
  if (tree.kind === 'leaf') return [{ path: tree.path, key: tree.key }];
  if (tree.kind === 'array') return placesOf(tree.item);
  return tree.kind === 'object' ? [...tree.keys.values()].flatMap(placesOf) : [];
}

/** Calls `note` with the path and value of each key; an absent key has the value undefined. */
export function visitKeys(tree: KeyTree, value: unknown, note: (path: string, value: unknown) => void): void {
  if (tree.kind === 'leaf') note(tree.path, value);
  else if (tree.kind === 'array') {
    if (Array.isArray(value)) for (const item of value) visitKeys(tree.item, item, note);
  } else if (tree.kind === 'object' && typeof value === 'object' && value !== null) {
    for (const [name, inner] of tree.keys) {
      const found = (value as Record<string, unknown>)[name];
      if (found !== undefined || !tree.partial.has(name)) visitKeys(inner, found, note);
    }
  }
}
