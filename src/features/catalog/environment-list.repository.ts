import { Repository } from '../../persistence/repositories/repository.js';
import { headColumns, type EnvironmentHead } from './catalog.repository.js';

export class EnvironmentListRepository extends Repository {
  async all(): Promise<EnvironmentHead[]> {
    return this.query<EnvironmentHead>(
      `SELECT ${headColumns} FROM environment_heads ORDER BY tenant_slug, project_slug, environment_slug`,
    );
  }
}
