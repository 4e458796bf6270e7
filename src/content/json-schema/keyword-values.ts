import { z } from 'zod';
import { type Problem, problem } from '../model/problem.js';
import type { SchemaPart } from './read-schema.js';
import { limits } from '../../../contracts/limits.js';
import { estimateCost, checkPattern } from '../model/pattern.js';

const count = z.int().nonnegative();
const names = z.array(z.string()).refine((list) => new Set(list).size === list.length, {
  error: 'The names must differ',
});
const type = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** The values of the keywords that have no subschemas, as in the 2020-12 meta-schema. */
const keywords = new Map<string, z.ZodType>(
  Object.entries({
    type: z.union([
      type,
      z
        .array(type)
        .min(1)
        .refine((list) => new Set(list).size === list.length),
    ]),
    enum: z.array(z.unknown()),
    multipleOf: z.number().positive(),
    maximum: z.number(),
    exclusiveMaximum: z.number(),
    minimum: z.number(),
    exclusiveMinimum: z.number(),
    maxLength: count,
    minLength: count,
    pattern: z.string(),
    format: z.string(),
    maxItems: count,
    minItems: count,
    uniqueItems: z.boolean(),
    maxContains: count,
    minContains: count,
    maxProperties: count,
    minProperties: count,
    required: names,
    dependentRequired: z.record(z.string(), names),
    $ref: z.string(),
    $comment: z.string(),
    title: z.string(),
    description: z.string(),
    deprecated: z.boolean(),
    readOnly: z.boolean(),
    writeOnly: z.boolean(),
    examples: z.array(z.unknown()),
    contentEncoding: z.string(),
    contentMediaType: z.string(),
    contentSchema: z.union([z.boolean(), z.record(z.string(), z.unknown())]),
  }),
);

/** The first keyword whose value JSON Schema does not allow. */
export function checkKeywordValues(parts: readonly SchemaPart[]): Problem[] {
  for (const { source, path } of parts) {
    if (typeof source === 'boolean') continue;
    for (const [keyword, value] of Object.entries(source)) {
      const [issue] = keywords.get(keyword)?.safeParse(value).error?.issues ?? [];
      if (issue === undefined) continue;
      const message = `Not JSON Schema 2020-12: ${issue.message}.`;
      return [{ path: [...path, keyword, ...issue.path.map(String)], code: 'invalid_schema', message }];
    }
  }
  return [];
}

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
