import type { schema } from '../../../contracts/vocabulary/schema.contract.js';
import type { SchemaPlan } from '../../../contracts/vocabulary/schema-plan.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { makePlan, targetOf } from './plan/make-plan.js';

export async function planSchema(
  work: UnitOfWork,
  input: InputOf<typeof schema.plan>,
): Promise<{ data: SchemaPlan }> {
  const { plan } = await makePlan(work, targetOf(input.schema));
  return { data: plan };
}
