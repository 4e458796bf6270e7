import { AppError } from '../../../../contracts/errors.js';
import type { Actor } from '../../../../contracts/actor.js';
import type { Promotion, PromotionRecord } from '../../../../contracts/deployment/promotions/promotion.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import type { ComparedEnvironment } from './pair.repository.js';

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

  async allow(seconds: number): Promise<void> {
    await this.allowTime(seconds);
  }
}
