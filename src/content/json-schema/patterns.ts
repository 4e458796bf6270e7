import { limits } from '../../../contracts/limits.js';
import { estimateCost } from '../model/pattern-cost.js';
import { checkPattern } from '../model/pattern.js';
import { problem, type Problem } from '../model/problem.js';
import type { SchemaPart } from './read-schema.js';

/** A single pattern must be cheap on values of this length; longer ones are bounded by the work budget. */
const textLength = 10_000;

/** Microseconds to compile all patterns of a schema, about. */
const costMaximum = 30_000;

interface PlacedPattern {
  readonly pattern: string;
  readonly path: string[];
}

/** Compiling patterns is the largest cost of a schema, so it is estimated first. Stops at the first invalid one. */
export function checkPatterns(parts: readonly SchemaPart[]): Problem[] {
  const placed = parts.flatMap(patternsOf);
  const patterns = new Set(placed.map(({ pattern }) => pattern));
  if (patterns.size > limits.jsonSchemaPatterns)
    return problem(
      'schema_too_complex',
      `A schema can have at most ${limits.jsonSchemaPatterns} different patterns.`,
    );
  let cost = 0;
  for (const pattern of patterns) cost += estimateCost(pattern);
  if (cost > costMaximum)
    return problem('schema_too_complex', 'The patterns of the schema are too complex in total.');
  for (const { pattern, path } of placed) {
    const [first] = checkPattern(pattern, '', textLength);
    if (first !== undefined) return [{ ...first, path }];
  }
  return [];
}

function patternsOf({ source, path }: SchemaPart): PlacedPattern[] {
  if (typeof source === 'boolean') return [];
  const { pattern, patternProperties } = source;
  const own = typeof pattern === 'string' ? [{ pattern, path: [...path, 'pattern'] }] : [];
  const named = Object.keys(patternProperties ?? {}).map((name) => ({
    pattern: name,
    path: [...path, 'patternProperties', name],
  }));
  return [...own, ...named];
}
