import { Repository } from '../../../persistence/repositories/repository.js';

/** Copied before the response: takes less than a second. */
const SMALL = 500;
const ANALYZE_SECONDS = 120;

export class CopySizeRepository extends Repository {
  /** Whether an environment has few entries, redirects and assets. */
  async isSmall(environmentId: string): Promise<boolean> {
    const [size] = await this.query<{ rows: number }>(
      `SELECT (coalesce((SELECT sum(entries) FROM entry_counts WHERE environment_id = $1 AND locale = ''), 0)
         + coalesce((SELECT sum(assets) FROM media_counts WHERE environment_id = $1), 0)
         + (SELECT count(*) FROM (SELECT FROM redirects WHERE environment_id = $1 LIMIT $2) AS r))::int AS rows`,
      [environmentId, SMALL + 1],
    );
    return (size?.rows ?? 0) <= SMALL;
  }

  /** Statistics of the tables that were copied, of which plans are made. */
  async analyze(): Promise<void> {
    await this.allowTime(ANALYZE_SECONDS);
    await this.query('SELECT analyze_content()');
  }
}
