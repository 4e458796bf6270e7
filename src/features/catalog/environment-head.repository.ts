import type { ReadPool } from '../../persistence/connections/read-pool.js';
import { headColumns, type EnvironmentHead } from './catalog.repository.js';

const findDefault = {
  name: 'find_environment_head',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND is_default`,
};
const findById = {
  name: 'find_environment_head_by_id',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND environment_id = $2`,
};

/** Read before the tenant is known. */
export class EnvironmentHeads {
  constructor(private readonly pool: ReadPool) {}

  /** @param environmentId null for the project's default environment */
  async find(projectSlug: string, environmentId: string | null): Promise<EnvironmentHead | undefined> {
    const [head] = await (environmentId === null
      ? this.pool.run<EnvironmentHead>(findDefault, [projectSlug])
      : this.pool.run<EnvironmentHead>(findById, [projectSlug, environmentId]));
    return head;
  }
}
