import { Repository } from '../../../persistence/repositories/repository.js';

/** Rows of a batch, without those that are deleted with them. */
const BATCH = 500;

/** What has many rows; the rest goes with the environment. Nodes without children first, then assets, so that no use of them is counted. */
const batches = [
  `DELETE FROM tree_nodes WHERE environment_id = $1 AND id IN (SELECT n.id FROM tree_nodes n WHERE n.environment_id = $1
     AND NOT EXISTS (SELECT FROM tree_nodes c WHERE c.environment_id = n.environment_id AND c.parent_id = n.id) LIMIT $2)`,
  ...['media_assets', 'entries', 'redirects'].map(
    (table) =>
      `DELETE FROM ${table} WHERE environment_id = $1 AND id IN (SELECT id FROM ${table} WHERE environment_id = $1 LIMIT $2)`,
  ),
];

const BATCH_SECONDS = 60;

/** Deletes the rows of an environment that is no longer visible to callers. */
export class DeletionRepository extends Repository {
  /** @returns whether there may be more */
  async deleteBatch(): Promise<boolean> {
    await this.allowTime(BATCH_SECONDS);
    await this.query("SELECT set_config('headwater.copying', 'on', true)");
    for (const batch of batches) {
      const deleted = await this.query(`${batch} RETURNING id`, [this.environmentId, BATCH]);
      if (deleted.length > 0) return true;
    }
    return false;
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
