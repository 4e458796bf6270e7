import { assertions, applicators } from './vocabulary.js';
import type { SchemaChild, SchemaPart } from './read-schema.js';

/** Keyword that charges the work of applying a part to a value. No caller can write it: what is prepared holds known keywords only. */
export const workKeyword = 'x-headwater-work';

/** Units that applying the smallest part costs: a part that fails makes an error object. */
const partWork = 100;

/** A schema as the validator gets it. */
export type PreparedSchema = Record<string, unknown>;

/**
 * The schema for the validator: the keywords that check something, every part with its weight, and what
 * references name moved to `$defs` under plain names, so that no other reading of a pointer is possible.
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

/** The subschemas of a part under their keywords, in the form the keyword has. */
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

/** Whether the size of a keyword's value is work for each value that is checked; a list of values is looked up. */
const isCompared = ([keyword]: [string, unknown]): boolean => keyword !== 'enum';

/** Values in a JSON value, itself included. */
function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countNodes(member), 1);
}
