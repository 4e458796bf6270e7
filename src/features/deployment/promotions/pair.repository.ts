import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { relationOf, type Branch, type Relation } from './relation.js';

export interface ComparedEnvironment {
  readonly id: string;
  readonly slug: string;
}

/** Two environments that descend from the same. */
export interface EnvironmentPair extends Relation {
  readonly source: ComparedEnvironment;
  readonly target: ComparedEnvironment;
}

/** An environment that has states in common with both of a pair. */
export interface Relative {
  readonly id: string;
  readonly withSource: Relation;
  readonly withTarget: Relation;
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
    const relation = relationOf(from.id, to.id, await this.#branches());
    if (relation === undefined)
      throw new AppError('environments_unrelated', { source: from.slug, target: to.slug });
    const [side, other] = [from, to].map(({ id, slug }) => ({ id, slug })) as [
      ComparedEnvironment,
      ComparedEnvironment,
    ];
    return { source: side, target: other, ...relation };
  }

  /** The other environments of the family. */
  async relatives({ source, target }: EnvironmentPair): Promise<Relative[]> {
    const branches = await this.#branches();
    const all = new Set(
      [...branches.values()].flatMap(({ environmentId, baseId }) => [environmentId, baseId]),
    );
    return [...all].flatMap((id) => {
      if (id === source.id || id === target.id) return [];
      const withSource = relationOf(id, source.id, branches);
      const withTarget = relationOf(id, target.id, branches);
      return withSource && withTarget ? [{ id, withSource, withTarget }] : [];
    });
  }

  async #branches(): Promise<Map<string, Branch>> {
    const rows = await this.query<Branch>(
      `SELECT b.environment_id AS "environmentId", b.base_environment_id AS "baseId", b.base_epoch AS "baseEpoch",
         b.number::float8 AS number, b.copies_content AS "copiesContent"
       FROM environment_branches b JOIN environments e ON e.tenant_id = b.tenant_id AND e.id = b.environment_id
       WHERE e.tenant_id = $1 AND e.project_id = $2`,
      [this.tenantId, this.projectId],
    );
    return new Map(rows.map((row) => [row.environmentId, row]));
  }
}
