import { Repository } from '../../../persistence/repositories/repository.js';

/** Numbers of records in one transaction. */
const NUMBERS_PER_PASS = 20_000;

/** Counts sealed audit records. Needs a platform scope. */
export class ActivityCounterRepository extends Repository {
  /** Counts the next records; returns how many numbers, 0 at the end or while another worker counts. */
  async count(): Promise<number> {
    await this.allowTime(60);
    const [row] = await this.query<{ counted: number }>('SELECT count_activity($1)::float8 AS counted', [
      NUMBERS_PER_PASS,
    ]);
    return row?.counted ?? 0;
  }

  /** Deletes counts of more than 400 days ago. */
  async prune(): Promise<void> {
    await this.query('SELECT prune_activity()');
  }
}
