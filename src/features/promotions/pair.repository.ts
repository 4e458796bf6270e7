import { AppError } from '../../../contracts/errors.js';
import { Repository } from '../../persistence/repositories/repository.js';

export interface ComparedEnvironment {
  readonly id: string;
  readonly slug: string;
}

/** Two environments, of which one is a branch of the other. */
export interface EnvironmentPair {
  readonly source: ComparedEnvironment;
  readonly target: ComparedEnvironment;
  readonly branchId: string;
  readonly baseId: string;
  /** The first epoch of the base that the branch does not contain. */
  readonly baseEpoch: number;
}

interface BranchRow {
  readonly branchId: string;
  readonly baseId: string;
  readonly baseEpoch: number;
}

export class PairRepository extends Repository {
  /** @throws AppError 404 `environment_not_found` */
  async environment(slug: string): Promise<ComparedEnvironment> {
    const [found] = await this.query<ComparedEnvironment>(
      `SELECT environment_id AS id, environment_slug AS slug FROM environment_heads
       WHERE tenant_id = $1 AND project_id = $2 AND environment_slug = $3`,
      [this.tenantId, this.projectId, slug],
    );
    if (found === undefined) throw new AppError('environment_not_found', { slug });
    return found;
  }

  /**
   * @param target the default environment if absent
   * @throws AppError 404 `environment_not_found`, 422 `same_environment`, 409 `environments_unrelated`
   */
  async find(source: string, target: string | undefined): Promise<EnvironmentPair> {
    const known = await this.query<ComparedEnvironment & { isDefault: boolean }>(
      `SELECT environment_id AS id, environment_slug AS slug, is_default AS "isDefault" FROM environment_heads
       WHERE tenant_id = $1 AND project_id = $2 AND (environment_slug = ANY ($3::text[]) OR is_default)`,
      [this.tenantId, this.projectId, [source, target ?? source]],
    );
    const from = known.find(({ slug }) => slug === source);
    const to = known.find(({ slug, isDefault }) => (target === undefined ? isDefault : slug === target));
    if (from === undefined) throw new AppError('environment_not_found', { slug: source });
    if (to === undefined) throw new AppError('environment_not_found', { slug: target });
    if (from.id === to.id) throw new AppError('same_environment', { slug: from.slug });
    const [branch] = await this.query<BranchRow>(
      `SELECT environment_id AS "branchId", base_environment_id AS "baseId", base_epoch AS "baseEpoch"
       FROM environment_branches WHERE (environment_id, base_environment_id) IN (($1, $2), ($2, $1))`,
      [from.id, to.id],
    );
    if (branch === undefined)
      throw new AppError('environments_unrelated', { source: from.slug, target: to.slug });
    const { id, slug } = from;
    return { source: { id, slug }, target: { id: to.id, slug: to.slug }, ...branch };
  }
}
