import type { RecordedChange } from './change-log.js';

/**
 * A unit of work that is run for real and rolled back: it holds what would have changed. Nothing is
 * kept, told or woken.
 */
export class Rehearsal {
  #changes: readonly RecordedChange[] = [];

  /** What would have changed, secrets redacted, in the order of the records. */
  get changes(): readonly RecordedChange[] {
    return this.#changes;
  }

  /** Takes down what a run would have changed; a run that is repeated replaces the one before. */
  note(changes: readonly RecordedChange[]): void {
    this.#changes = changes;
  }
}

/** Ends the transaction of a rehearsal and carries the answer out of it. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';

  constructor(readonly answer: unknown) {
    super('a rehearsal was rolled back');
  }
}
