import { promotions as contracts } from '../../contracts/management/promotions.contract.js';
import { diffEnvironments } from '../features/promotions/diff-environments.js';
import { promoteEnvironment } from '../features/promotions/promote-environment.js';
import { rollbackPromotion } from '../features/promotions/rollback-promotion.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const promotions = bind(contracts, {
  diff: query(diffEnvironments),
  rollback: mutation(rollbackPromotion, { lock: 'schema' }),
  promote: mutation(promoteEnvironment, { lock: 'schema' }),
});
