import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';
import type { SchemaPart } from './read-schema.js';

/** Size and height of a part with its references inlined. A reference to an enclosing part counts as one. */
interface Expansion {
  readonly size: number;
  readonly height: number;
}

/** Rejects references that multiply or nest too far once inlined. Linear in the size of the schema. */
export function checkExpansion(root: SchemaPart): Problem[] {
  const known = new Map<SchemaPart, Expansion>();
  const around = new Set<SchemaPart>();

  function measure(part: SchemaPart, depth: number): Expansion {
    const measured = known.get(part);
    if (measured !== undefined) return measured;
    if (around.has(part)) return { size: 1, height: 0 };
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

/** Rejects a part that applies to the same value again, directly or through others. */
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
