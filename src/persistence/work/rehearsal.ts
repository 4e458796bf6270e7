import type { RecordedChange } from './change-log.js';

/** Collects the changes of a unit of work that is rolled back and emits nothing. */
export class Rehearsal {
  #changes: readonly RecordedChange[] = [];
  #movesPublicPaths = false;

  /** Secrets redacted, in the order of the records. */
  get changes(): readonly RecordedChange[] {
    return this.#changes;
  }

  /** Whether the path of something published would change. */
  get movesPublicPaths(): boolean {
    return this.#movesPublicPaths;
  }

  /** A repeated run replaces the one before. */
  note(changes: readonly RecordedChange[], movesPublicPaths: boolean): void {
    this.#changes = changes;
    this.#movesPublicPaths = movesPublicPaths;
  }
}

/** Ends the transaction of a rehearsal; carries its result. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';

  constructor(readonly answer: unknown) {
    super('a rehearsal was rolled back');
  }
}
