/** One rule that the service promises: where it stands, what it says, and why it must wait if it does. */
export interface Requirement {
  readonly source: string;
  readonly text: string;
  /** Why it is not there yet. A deferred rule must not be proven. */
  readonly deferred?: string;
}

/** The reason of a rule that waits for something. */
export const later = (what: string): string => `lands with ${what}`;
