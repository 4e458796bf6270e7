import { Repository } from '../../../persistence/repositories/repository.js';

/** Rows of a batch. */
const BATCH = 2000;
const BATCH_SECONDS = 60;

/** Deletes the rows of an environment that is no longer visible to callers. */
export class DeletionRepository extends Repository {
  /** @returns whether there may be more */
  async deleteBatch(): Promise<boolean> {
    await this.allowTime(BATCH_SECONDS);
    const [batch] = await this.query<{ deleted: number }>('SELECT empty_environment($1, $2) AS deleted', [
      this.environmentId,
      BATCH,
    ]);
    return batch?.deleted === BATCH;
  }

  /** Deletes the environment and what is left of it. */
  async forget(): Promise<void> {
    await this.allowTime(BATCH_SECONDS);
    await this.query("SELECT set_config('headwater.copying', 'on', true), forget_environment($1)", [
      this.environmentId,
    ]);
  }

  /** Cancels what waits for its time. */
  async cancelJobs(environmentId: string): Promise<void> {
    await this.query(
      `UPDATE scheduled_jobs SET status = 'canceled', completed_at = $2, updated_at = $2
       WHERE environment_id = $1 AND status = 'scheduled'`,
      [environmentId, this.bound.now],
    );
  }
}
