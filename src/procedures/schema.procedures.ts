import { schema as contracts } from '../../contracts/vocabulary/schema.contract.js';
import { applySchema } from '../features/schema/apply-schema.js';
import { exportSchema } from '../features/schema/export-schema.js';
import { planSchema } from '../features/schema/plan-schema.js';
import { undoSchema } from '../features/schema/undo-schema.js';
import { bind } from './bind.js';
import { mutation, query, report } from './run.js';

export const schema = bind(contracts, {
  export: query(exportSchema),
  plan: report(planSchema),
  applyDocument: mutation(applySchema, { lock: 'schema' }),
  undo: mutation(undoSchema, { lock: 'schema' }),
});
