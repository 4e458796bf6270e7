import { assertions, applicators } from './vocabulary.js';
import type { SchemaChild, SchemaPart } from './read-schema.js';

/** Charges the work of applying a part. Callers cannot use it: unknown keywords are dropped. */
export const workKeyword = 'x-headwater-work';

/** A failing part allocates an error object, hence the base cost. */
const partWork = 100;

export type PreparedSchema = Record<string, unknown>;

/**
 * Builds the schema for the validator: known keywords only, a weight for each part, and reference targets moved to
 * `$defs` under plain names.
 */
export function prepareSchema(root: SchemaPart, parts: readonly SchemaPart[]): PreparedSchema {
  const targets = new Set(parts.flatMap(({ reference }) => reference ?? []));
  const names = new Map([...targets].map((part, index) => [part, `p${index}`]));
  const place = (part: SchemaPart): PreparedSchema | boolean => {
    const name = names.get(part);
    return name === undefined ? build(part) : { $ref: `#/$defs/${name}` };
  };

  function build(part: SchemaPart): PreparedSchema | boolean {
    if (typeof part.source === 'boolean') return part.source;
    const checks = Object.entries(part.source).filter(([keyword]) => assertions.has(keyword));
    return {
      ...Object.fromEntries(checks),
      ...held(part.children, place),
      ...(part.reference !== null && { $ref: `#/$defs/${names.get(part.reference) ?? ''}` }),
      [workKeyword]: partWork + part.children.length + countNodes(checks.filter(isCompared)),
    };
  }

  const defs = [...names].map(([part, name]) => [name, build(part)] as const);
  return { ...(place(root) as PreparedSchema), $defs: Object.fromEntries(defs) };
}

function held(
  children: readonly SchemaChild[],
  place: (part: SchemaPart) => PreparedSchema | boolean,
): PreparedSchema {
  const byKeyword = Map.groupBy(
    children.filter(({ applies }) => applies !== 'never'),
    ({ keyword }) => keyword,
  );
  return Object.fromEntries(
    [...byKeyword].map(([keyword, group]): [string, unknown] => {
      const { holding } = applicators.get(keyword) ?? { holding: 'map' };
      const placed = group.map(({ key, part }) => [key ?? '', place(part)] as const);
      if (holding === 'one') return [keyword, placed[0]?.[1]];
      return [keyword, holding === 'list' ? placed.map(([, part]) => part) : Object.fromEntries(placed)];
    }),
  );
}

/** The values of an `enum` are looked up, not compared one by one. */
const isCompared = ([keyword]: [string, unknown]): boolean => keyword !== 'enum';

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countNodes(member), 1);
}
