import { checkPattern, compilePattern } from '../model/pattern.js';
import { problem, type Problem } from '../model/problem.js';
import type { SchemaPart } from './read-schema.js';

/** A single pattern must be cheap on values of this length; longer ones are bounded by the work budget. */
const textLength = 10_000;

/** Total program size of a schema's patterns, which are kept in memory. */
const programSizeMaximum = 20_000;

interface PlacedPattern {
  readonly pattern: string;
  readonly path: string[];
}

export function checkPatterns(parts: readonly SchemaPart[]): Problem[] {
  const problems: Problem[] = [];
  let size = 0;
  for (const { pattern, path } of parts.flatMap(patternsOf)) {
    const [first] = checkPattern(pattern, '', textLength);
    if (first !== undefined) problems.push({ ...first, path });
    else size += compilePattern(pattern).programSize();
    if (size > programSizeMaximum)
      return problem('pattern_too_costly', 'The patterns of the schema are too complex in total.');
  }
  return problems;
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
