import { AppError } from '../../../contracts/errors.js';
import type { Promotion } from '../../../contracts/resources/promotion.js';
import { isUuid } from '../../infrastructure/ids.js';
import { Repository } from '../../persistence/repositories/repository.js';
import type { Snapshot } from '../../persistence/work/unit-of-work.js';
import { promotedKinds } from '../../../contracts/resources/environment-difference.js';
import type { ItemKey } from './item-kinds.js';
import type { SettledStatus } from './publication.js';
import { partsSql } from './item.repository.js';
import type { ComparedEnvironment, EnvironmentPair } from './pair.repository.js';

export interface StoredPromotion {
  readonly id: string;
  readonly source: string;
  readonly comment: string | null;
  readonly summary: object;
}

export class PromotionRepository extends Repository {
  /** Into the environment of the unit of work. */
  async insert({ id, source, comment, summary }: StoredPromotion): Promise<void> {
    const { now, scope } = this.bound;
    await this.query(
      `INSERT INTO promotions (tenant_id, project_id, id, source_environment, environment_id, comment, summary, created_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[this.tenantId, this.projectId, id, source, this.environmentId, comment],
        ...[JSON.stringify(summary), now, JSON.stringify(scope.actor)],
      ],
    );
  }

  note(verb: 'promote' | 'rollback', target: ComparedEnvironment, after: Snapshot): void {
    const { id, slug } = target;
    this.record({
      action: `environment.${verb}`,
      target: { type: 'environment', id, name: slug },
      before: null,
      after,
    });
  }

  /**
   * Into the environment of the unit of work.
   * @throws AppError 404 `promotion_not_found`, 409 `promotion_rolled_back`
   */
  async find(
    id: string,
  ): Promise<{ id: string; createdAt: Date; summary: Promotion['summary']; source: string }> {
    const [found] = isUuid(id)
      ? await this.query<{
          id: string;
          createdAt: Date;
          rolledBackAt: Date | null;
          summary: Promotion['summary'];
          source: string;
        }>(
          `SELECT id, created_at AS "createdAt", rolled_back_at AS "rolledBackAt", summary, source_environment AS source FROM promotions
           WHERE tenant_id = $1 AND id = $2 AND environment_id = $3`,
          [this.tenantId, id, this.environmentId],
        )
      : [];
    if (found === undefined) throw new AppError('promotion_not_found');
    if (found.rolledBackAt !== null)
      throw new AppError('promotion_rolled_back', { rolledBackAt: found.rolledBackAt.toISOString() });
    return found;
  }

  async markRolledBack(id: string): Promise<void> {
    await this.query('UPDATE promotions SET rolled_back_at = $3 WHERE tenant_id = $1 AND id = $2', [
      this.tenantId,
      id,
      this.bound.now,
    ]);
  }

  /** Later comparisons of the items start from their present state in the source. */
  async settle({ branchId, source }: EnvironmentPair, items: readonly ItemKey[]): Promise<void> {
    if (items.length === 0) return;
    const byKind = promotedKinds.map((kind) =>
      items.filter((item) => item.kind === kind).map(({ id }) => id),
    );
    for (const [index, ids] of byKind.entries()) {
      const kind = promotedKinds[index];
      if (ids.length === 0 || kind === undefined) continue;
      await this.query(
        'DELETE FROM environment_bases WHERE branch_id = $1 AND kind = $2 AND item_id = ANY ($3::uuid[])',
        [branchId, kind, ids],
      );
      // An absent item keeps a row, too: it is deleted in both environments.
      await this.query(
        `INSERT INTO environment_bases (tenant_id, branch_id, kind, item_id, part, environment_id, row)
         SELECT $4, $5, $6, i.id, coalesce(p.part, ''), $1, p.row FROM unnest($2::uuid[]) AS i (id)
           LEFT JOIN (${partsSql}) AS p ON p.id = i.id`,
        [source.id, ids, [kind], this.tenantId, branchId, kind],
      );
    }
  }

  /** Of locales whose status was not carried. */
  async settleStatuses({ branchId }: EnvironmentPair, statuses: readonly SettledStatus[]): Promise<void> {
    if (statuses.length === 0) return;
    await this.query(
      `UPDATE environment_bases b SET status = g.status FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, status text)
       WHERE b.branch_id = $1 AND b.kind = 'entry' AND b.item_id = g.id AND b.part = g.locale`,
      [branchId, JSON.stringify(statuses)],
    );
  }

  async allow(seconds: number): Promise<void> {
    await this.allowTime(seconds);
  }
}
