import { limits } from '../../../../contracts/limits.js';

/** Configurable limits (specification section 8). */
export interface QueryLimits {
  /** Depth after inlining fragments, without `__typename`. */
  readonly maxQueryDepth: number;
  /** Decisions 2.25. */
  readonly maxComplexity: number;
  /** References followed from a root entry. */
  readonly maxReferenceDepth: number;
}

/** Fixed limits, above any meaningful query. */
export const guards = {
  tokens: limits.queryTokens,
  aliases: limits.queryAliases,
  directives: limits.queryAliases,
  /** About 2,000 overflow the parser's stack. */
  nestedBrackets: limits.jsonDepth,
  /** The standard introspection query has 13. */
  introspectionDepth: 20,
  /** The standard query has 2: types and fields. */
  introspectionLists: 2,
  /** After inlining fragments; the standard query has about 200. */
  introspectionSize: 500,
  /** After inlining fragments, which can grow exponentially. */
  inlinedFields: 5000,
  validationErrors: 10,
  /** Nested entries included: bounds memory. */
  entriesPerResult: 10_000,
  /** Aliases can repeat a long text in every entry. */
  charactersPerResult: 67_108_864,
} as const;
