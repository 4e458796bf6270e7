import { limits } from '../../../../contracts/limits.js';

/** Limits that settings may change (specification section 8). */
export interface QueryLimits {
  /** Levels of fields, fragments inlined, `__typename` free. */
  readonly maxQueryDepth: number;
  /** Units of the cost rule of decisions 2.25. */
  readonly maxComplexity: number;
  /** Hops of references counted from an entry of a root field. */
  readonly maxReferenceDepth: number;
}

/** Limits that hold everywhere: what they keep out is never a query that means something. */
export const guards = {
  /** Tokens of a document. */
  tokens: limits.queryTokens,
  aliases: limits.queryAliases,
  directives: limits.queryAliases,
  /** Brackets inside one another; some 2,000 overflow the parser's stack. */
  nestedBrackets: limits.jsonDepth,
  /** Levels of introspection fields, for keys that may introspect. The usual introspection query has 13. */
  introspectionDepth: 20,
  /** Lists of introspection one inside another; the usual query has two, types and their fields. */
  introspectionLists: 2,
  /** Fields of introspection, fragments in place. The usual query has some 200. */
  introspectionSize: 500,
  /** Fields of a document once its fragments are in place: fragments can double one another exponentially. */
  inlinedFields: 5000,
  /** Reasons named in one refusal. */
  validationErrors: 10,
  /** Entries that one answer may hold, nested ones included, so that a web of references cannot fill the memory. */
  entriesPerAnswer: 10_000,
  /** Characters that one answer may hold: aliases can repeat a long text in every entry of a page. */
  charactersPerAnswer: 67_108_864,
} as const;
