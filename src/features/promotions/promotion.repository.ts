import { AppError } from '../../../contracts/errors.js';
import type { Actor } from '../../../contracts/resources/actor.js';
import type { Promotion, PromotionRecord } from '../../../contracts/resources/promotion.js';
import { isUuid } from '../../infrastructure/ids.js';
import { Repository } from '../../persistence/repositories/repository.js';
import type { Snapshot } from '../../persistence/work/unit-of-work.js';
import { promotedKinds } from '../../../contracts/resources/environment-difference.js';
import type { ItemKey } from './item-kinds.js';
import type { SettledStatus } from './publication.js';
import { partsSql } from './item.repository.js';
import type { ComparedEnvironment, EnvironmentPair } from './pair.repository.js';

interface NewPromotion {
  readonly id: string;
  readonly source: string;
  readonly comment: string | null;
  /** Null: a job continues it. */
  readonly summary: Promotion['summary'] | null;
}

export interface StoredPromotion {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly status: PromotionRecord['status'];
  readonly summary: Promotion['summary'] | null;
  readonly error: PromotionRecord['error'];
  readonly comment: string | null;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly appliedAt: Date | null;
  readonly rolledBackAt: Date | null;
  /** Steps of its job; null without one. */
  readonly done: number | null;
  readonly total: number | null;
}

/** Of the environment of the unit of work. */
const storedSql = `SELECT p.id, p.source_environment AS source, e.slug AS target, p.status, p.summary, p.error, p.comment,
    p.created_at AS "createdAt", p.created_by AS "createdBy", p.applied_at AS "appliedAt", p.rolled_back_at AS "rolledBackAt",
    j.done, j.total
  FROM promotions p JOIN environments e ON e.tenant_id = p.tenant_id AND e.id = p.environment_id
    LEFT JOIN environment_jobs j ON j.tenant_id = p.tenant_id AND j.environment_id = p.environment_id
      AND j.details ->> 'promotionId' = p.id::text
  WHERE p.tenant_id = $1 AND p.environment_id = $2`;

export class PromotionRepository extends Repository {
  /** Into the environment of the unit of work; completes that of a job. */
  async put({ id, source, comment, summary }: NewPromotion): Promise<void> {
    const { now, scope } = this.bound;
    const isApplied = summary !== null;
    await this.query(
      `INSERT INTO promotions (tenant_id, project_id, id, source_environment, environment_id, comment, summary, created_at, created_by,
         status, applied_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (tenant_id, id) DO UPDATE SET summary = excluded.summary, status = excluded.status, applied_at = excluded.applied_at`,
      [
        ...[this.tenantId, this.projectId, id, source, this.environmentId, comment],
        ...[isApplied ? JSON.stringify(summary) : null, now, JSON.stringify(scope.actor)],
        ...[isApplied ? 'succeeded' : 'running', isApplied ? now : null],
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

  /** @throws AppError 404 `promotion_not_found` */
  async find(id: string): Promise<StoredPromotion> {
    const [found] = isUuid(id)
      ? await this.query<StoredPromotion>(`${storedSql} AND p.id = $3`, [
          this.tenantId,
          this.environmentId,
          id,
        ])
      : [];
    if (found === undefined) throw new AppError('promotion_not_found');
    return found;
  }

  /** Latest first. */
  async latest({
    page,
    limit,
  }: {
    page: number;
    limit: number;
  }): Promise<{ items: StoredPromotion[]; total: number }> {
    const bind = [this.tenantId, this.environmentId];
    const [counted] = await this.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM promotions WHERE tenant_id = $1 AND environment_id = $2',
      bind,
    );
    const items = await this.query<StoredPromotion>(
      `${storedSql} ORDER BY p.created_at DESC, p.id DESC LIMIT $3 OFFSET $4`,
      [...bind, limit, (page - 1) * limit],
    );
    return { items, total: counted?.total ?? 0 };
  }

  /** @param error why a job ended without effect */
  async setStatus(
    id: string,
    status: PromotionRecord['status'],
    error: PromotionRecord['error'] = null,
  ): Promise<void> {
    await this.query('UPDATE promotions SET status = $3, error = $4 WHERE tenant_id = $1 AND id = $2', [
      this.tenantId,
      id,
      status,
      error === null ? null : JSON.stringify(error),
    ]);
  }

  async markRolledBack(id: string): Promise<void> {
    await this.query(
      "UPDATE promotions SET rolled_back_at = $3, status = 'rolled_back', error = NULL WHERE tenant_id = $1 AND id = $2",
      [this.tenantId, id, this.bound.now],
    );
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
