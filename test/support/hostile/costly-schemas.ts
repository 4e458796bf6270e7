/** Definitions that each reference the next one twice. */
export const doubling = (levels: number, twice: (reference: object) => object) => ({
  $ref: '#/$defs/a0',
  $defs: Object.fromEntries([
    ...Array.from({ length: levels }, (_none, level) => [
      `a${level}`,
      twice({ $ref: `#/$defs/a${level + 1}` }),
    ]),
    [`a${levels}`, { type: 'string' }],
  ]) as object,
});

export const patternsOf = (count: number, pattern: (index: number) => string) => ({
  properties: Object.fromEntries(
    Array.from({ length: count }, (_none, index) => [`p${index}`, { pattern: pattern(index) }]),
  ) as object,
});

/** Schemas with patterns that would take long to compile. */
export const costlyPatterns: readonly (readonly [name: string, schema: object])[] = [
  ['51 different patterns', patternsOf(51, (index) => `^a${index}$`)],
  ['patterns with many Unicode characters', patternsOf(50, (index) => `^[\\p{L}${index}]{1,40}$`)],
  ['a pattern that repeats too often', { pattern: '((a{100}){100}){100}' }],
  ['a pattern that repeats a long one', { pattern: `(${'abcdefgh'.repeat(60)}){1000}` }],
  ['thousands of names in a pattern', { patternProperties: { [`^(${'ab|'.repeat(20_000)})`]: true } }],
];
