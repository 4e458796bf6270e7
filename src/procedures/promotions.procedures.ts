import { promotions as contracts } from '../../contracts/management/promotions.contract.js';
import { diffEnvironments } from '../features/promotions/diff-environments.js';
import { getPromotion } from '../features/promotions/get-promotion.js';
import { listPromotions } from '../features/promotions/list-promotions.js';
import { promoteEnvironment } from '../features/promotions/promote-environment.js';
import { rollbackPromotion } from '../features/promotions/rollback-promotion.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';

const jobs = { lock: 'schema', with: ({ promotions }: Services) => promotions } as const;

export const promotions = bind(contracts, {
  diff: query(diffEnvironments),
  list: query(listPromotions),
  get: query(getPromotion),
  rollback: mutation(rollbackPromotion, jobs),
  promote: mutation(promoteEnvironment, jobs),
});
