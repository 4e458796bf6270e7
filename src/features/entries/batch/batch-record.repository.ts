import { Repository } from '../../../persistence/repositories/repository.js';
import type { Applied } from './batch-item.js';

export class BatchRecordRepository extends Repository {
  /** Records nothing when no entry changed. */
  note(applied: readonly Applied[]): void {
    const changed = applied.filter(({ before, after }) => before !== null || after !== null);
    if (changed.length === 0) return;
    const name = `batch of ${String(changed.length)} ${changed.length === 1 ? 'change' : 'changes'}`;
    this.record({
      action: 'entry.batch',
      target: { type: 'entries', id: this.bound.newId(), name },
      before: { entries: changed.flatMap(({ before }) => before ?? []) },
      after: { entries: changed.flatMap(({ after }) => after ?? []) },
    });
  }
}
