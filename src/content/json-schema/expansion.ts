import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';
import type { SchemaPart } from './read-schema.js';

/** What a part becomes with every reference put in place. A reference back to a part around it counts as one. */
interface Expansion {
  readonly size: number;
  readonly height: number;
}

/**
 * Refuses references that multiply (each definition naming the next one twice), that never end, or that lead
 * on too far. Linear in the schema: what a part becomes is measured once.
 */
export function checkExpansion(root: SchemaPart): Problem[] {
  const known = new Map<SchemaPart, Expansion>();
  const around = new Set<SchemaPart>();

  function measure(part: SchemaPart, depth: number): Expansion {
    const measured = known.get(part);
    if (measured !== undefined) return measured;
    if (around.has(part)) return { size: 1, height: 0 };
    // Deeper than any height allowed: no need to follow it to its end.
    if (depth > limits.jsonSchemaReach) return { size: 1, height: limits.jsonSchemaReach };
    around.add(part);
    let size = 1;
    let height = 0;
    for (const next of stepsFrom(part)) {
      const below = measure(next, depth + 1);
      size = Math.min(size + below.size, Number.MAX_SAFE_INTEGER);
      height = Math.max(height, below.height + 1);
    }
    around.delete(part);
    const expansion = { size, height };
    known.set(part, expansion);
    return expansion;
  }

  const { size, height } = measure(root, 0);
  if (size > limits.jsonSchemaExpansion || height >= limits.jsonSchemaReach) {
    return problem(
      'reference_expansion_exceeded',
      `With its references in place the schema may have ${limits.jsonSchemaExpansion} parts, one inside another up to ${limits.jsonSchemaReach} deep.`,
    );
  }
  return [];
}

/** Refuses a part that applies itself to the same value again, directly or through others. */
export function checkEndless(parts: readonly SchemaPart[]): Problem[] {
  const done = new Set<SchemaPart>();
  const around = new Set<SchemaPart>();

  function returns(part: SchemaPart): boolean {
    if (around.has(part)) return true;
    if (done.has(part)) return false;
    around.add(part);
    const isEndless = stepsBeside(part).some(returns);
    around.delete(part);
    done.add(part);
    return isEndless;
  }

  const endless = parts.find((part) => returns(part));
  if (endless === undefined) return [];
  const message = 'The schema refers to itself without descending into the value.';
  return [{ path: [...endless.path], code: 'endless_reference', message }];
}

function stepsFrom({ children, reference }: SchemaPart): SchemaPart[] {
  const held = children.filter(({ applies }) => applies !== 'never').map(({ part }) => part);
  return reference === null ? held : [...held, reference];
}

function stepsBeside({ children, reference }: SchemaPart): SchemaPart[] {
  const beside = children.filter(({ applies }) => applies === 'beside').map(({ part }) => part);
  return reference === null ? beside : [...beside, reference];
}
