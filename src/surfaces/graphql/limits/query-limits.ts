import { limits } from '../../../../contracts/limits.js';

/** Limits that settings may change (specification section 8). */
export interface QueryLimits {
  /** Depth of fields after inlining fragments, without `__typename`. */
  readonly maxQueryDepth: number;
  /** Cost by decisions 2.25. */
  readonly maxComplexity: number;
  /** References followed from an entry of a root field. */
  readonly maxReferenceDepth: number;
}

/** Limits without a setting; no meaningful query exceeds them. */
export const guards = {
  /** Tokens in a document. */
  tokens: limits.queryTokens,
  aliases: limits.queryAliases,
  directives: limits.queryAliases,
  /** Depth of nested brackets; about 2,000 overflow the parser's stack. */
  nestedBrackets: limits.jsonDepth,
  /** Depth of introspection fields; the standard introspection query has 13. */
  introspectionDepth: 20,
  /** Depth of introspection lists; the standard query has 2, types and fields. */
  introspectionLists: 2,
  /** Introspection fields after inlining fragments; the standard query has about 200. */
  introspectionSize: 500,
  /** Fields after inlining fragments, which can grow exponentially. */
  inlinedFields: 5000,
  /** Reasons in one request error. */
  validationErrors: 10,
  /** Entries in one result, nested ones included: bounds the memory that a web of references takes. */
  entriesPerResult: 10_000,
  /** Characters in one result: aliases can repeat a long text in every entry of a page. */
  charactersPerResult: 67_108_864,
} as const;
