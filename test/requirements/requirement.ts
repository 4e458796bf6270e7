export interface Requirement {
  /** Headings of contracts/README.md, `architecture N` of src/README.md, or `operation` and `additive`. */
  readonly source: string;
  readonly text: string;
  /** Why no test proves the rule yet. */
  readonly deferred?: string;
}

export const later = (feature: string): string => `lands with ${feature}`;
