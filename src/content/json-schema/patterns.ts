import { checkPattern, compilePattern } from '../model/pattern.js';
import { problem, type Problem } from '../model/problem.js';
import type { SchemaPart } from './read-schema.js';

/** Length of the texts that a single pattern must be cheap on; for longer ones the work itself is bounded. */
const textLength = 10_000;

/** Program sizes of all the patterns of one schema together: they are kept in memory with it. */
const programSizeMaximum = 20_000;

interface PlacedPattern {
  readonly pattern: string;
  readonly path: string[];
}

/** What keeps the patterns of a schema from running on the linear-time engine. */
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
