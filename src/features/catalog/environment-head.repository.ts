import type { ReadPool } from '../../persistence/connections/read-pool.js';
import { headColumns, type EnvironmentHead } from './catalog.repository.js';

const findHead = {
  name: 'find_environment_head',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND is_default`,
};

/** Heads of environments, read without a tenant being known. */
export class EnvironmentHeads {
  constructor(private readonly pool: ReadPool) {}

  /** The head of a project's default environment. */
  async find(projectSlug: string): Promise<EnvironmentHead | undefined> {
    const [head] = await this.pool.run<EnvironmentHead>(findHead, [projectSlug]);
    return head;
  }
}
