import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { headColumns, type EnvironmentHead } from './catalog.repository.js';
import { Repository } from '../../../persistence/repositories/repository.js';

const findDefault = {
  name: 'find_environment_head',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND is_default`,
};
const findById = {
  name: 'find_environment_head_by_id',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND environment_id = $2`,
};

const findBySlug = {
  name: 'find_environment_head_by_slug',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND environment_slug = $2`,
};

/** The id or slug of an environment; null: the default one of the project. */
export type EnvironmentName = string | null | { readonly slug: string };

/** Read before the tenant is known. */
export class EnvironmentHeads {
  constructor(private readonly pool: ReadPool) {}

  async find(projectSlug: string, environment: EnvironmentName): Promise<EnvironmentHead | undefined> {
    const [head] = await this.#read(projectSlug, environment);
    return head;
  }

  #read(projectSlug: string, environment: EnvironmentName): Promise<EnvironmentHead[]> {
    if (environment === null) return this.pool.run(findDefault, [projectSlug]);
    return typeof environment === 'string'
      ? this.pool.run(findById, [projectSlug, environment])
      : this.pool.run(findBySlug, [projectSlug, environment.slug]);
  }
}

export class EnvironmentListRepository extends Repository {
  async all(): Promise<EnvironmentHead[]> {
    return this.query<EnvironmentHead>(
      `SELECT ${headColumns} FROM environment_heads ORDER BY tenant_slug, project_slug, environment_slug`,
    );
  }
}
