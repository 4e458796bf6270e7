export interface Requirement {
  /** Chapter or decision. */
  readonly source: string;
  readonly text: string;
  /** Why no test proves the rule yet. */
  readonly deferred?: string;
}

export const later = (feature: string): string => `lands with ${feature}`;
