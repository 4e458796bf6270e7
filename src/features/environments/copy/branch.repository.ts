import { Repository } from '../../../persistence/repositories/repository.js';

export class BranchRepository extends Repository {
  /** Makes the environment a branch of the base, whose changes are journaled from here on. */
  async open(baseId: string): Promise<void> {
    await this.query('SELECT open_branch($1, $2, $3)', [this.tenantId, this.environmentId, baseId]);
  }
}
