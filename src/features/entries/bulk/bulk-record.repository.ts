import type { BulkAction } from '../../../../contracts/entries/bulk/bulk.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import type { Done } from './sequential.js';

const present = (snapshots: readonly (Snapshot | null)[]): Snapshot[] =>
  snapshots.filter((snapshot) => snapshot !== null);

export class BulkRecordRepository extends Repository {
  /** Records nothing when no entry changed. */
  note(action: BulkAction, done: readonly Done[]): void {
    const changed = done.filter(({ before, after }) => before !== null || after !== null);
    if (changed.length === 0) return;
    const name = `${action} ${String(changed.length)} ${changed.length === 1 ? 'entry' : 'entries'}`;
    this.record({
      action: 'entry.bulk',
      target: { type: 'entries', id: this.bound.newId(), name },
      before: { action, entries: present(changed.map(({ before }) => before)) },
      after: { action, entries: present(changed.map(({ after }) => after)) },
    });
  }
}
