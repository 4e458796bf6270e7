import type { PromotionRecord } from '../../../contracts/resources/promotion.js';
import type { StoredPromotion } from './promotion.repository.js';

export const presentRecord = ({ id, done, total, ...stored }: StoredPromotion): PromotionRecord => ({
  promotionId: id,
  source: stored.source,
  target: stored.target,
  status: stored.status,
  progress: done === null || total === null ? null : { done, total },
  summary: stored.summary,
  error: stored.error,
  comment: stored.comment,
  createdAt: stored.createdAt.toISOString(),
  createdBy: stored.createdBy,
  appliedAt: stored.appliedAt?.toISOString() ?? null,
  rolledBackAt: stored.rolledBackAt?.toISOString() ?? null,
  rollbackAvailable: stored.status === 'succeeded',
});
