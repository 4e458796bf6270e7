import { promotions as promotionsContracts } from '../../contracts/deployment/promotions/promotions.contract.js';
import { diffEnvironments } from '../features/deployment/promotions/compare.js';
import { getPromotion, listPromotions } from '../features/deployment/promotions/promotions.js';
import {
  promoteEnvironment,
  rollbackPromotion,
} from '../features/deployment/promotions/promote-environment.js';
import { bind } from './bind.js';
import { mutation, query, report } from './run.js';
import type { Services } from './services.js';
import { schema as schemaContracts } from '../../contracts/deployment/schema/schema.contract.js';
import { applySchema, exportSchema, planSchema, undoSchema } from '../features/deployment/schema/schema.js';

const jobs = { lock: 'schema', with: ({ promotions }: Services) => promotions } as const;

export const promotions = bind(promotionsContracts, {
  diff: query(diffEnvironments),
  list: query(listPromotions),
  get: query(getPromotion),
  rollback: mutation(rollbackPromotion, jobs),
  promote: mutation(promoteEnvironment, jobs),
});

export const schema = bind(schemaContracts, {
  export: query(exportSchema),
  plan: report(planSchema),
  applyDocument: mutation(applySchema, { lock: 'schema' }),
  undo: mutation(undoSchema, { lock: 'schema' }),
});
