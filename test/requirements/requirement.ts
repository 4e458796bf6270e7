/** One rule that the service promises. */
export interface Requirement {
  /** The chapter or decision that it comes from. */
  readonly source: string;
  readonly text: string;
  /** Why no test proves it yet. */
  readonly deferred?: string;
}

/** The reason of a rule whose feature does not exist yet. */
export const later = (feature: string): string => `lands with ${feature}`;
