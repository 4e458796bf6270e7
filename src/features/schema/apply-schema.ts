import { AppError } from '../../../contracts/errors.js';
import type { schema } from '../../../contracts/vocabulary/schema.contract.js';
import type { SchemaApply } from '../../../contracts/vocabulary/schema-plan.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { sections, type SchemaModel } from '../../content/schema/index.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { runSteps } from './apply/run-steps.js';
import { makePlan, targetOf } from './plan/make-plan.js';
import { SchemaApplyRepository } from './store/schema-apply.repository.js';

/** The sections that another model has. */
export function sectionsOf(model: SchemaModel, other: SchemaModel): SchemaModel {
  const shared = sections.filter((section) => other[section] !== undefined);
  return Object.fromEntries(shared.map((section) => [section, model[section]]));
}

/**
 * Makes the schema equal to the document in this unit of work, which holds the schema lock. An equal document writes
 * nothing.
 * @throws AppError 409 `destructive_change` with the plan without consent
 */
export async function applySchema(
  work: UnitOfWork,
  { projectSlug, schema: document, allowDestructive }: InputOf<typeof schema.applyDocument>,
): Promise<{ data: SchemaApply }> {
  const prepared = await makePlan(work, targetOf(document));
  const { plan, stored } = prepared;
  if (plan.steps.length === 0) return { data: { applyId: null, ...plan } };
  if (plan.isDestructive && !allowDestructive) throw new AppError('destructive_change', plan);
  const mark = await work.use(SchemaApplyRepository).mark();
  const { model: after } = await work.part((part) => runSteps(part, prepared, projectSlug));
  const { model: wanted } = prepared.target;
  const id = work.newId();
  const record = {
    id,
    before: sectionsOf(stored.model, wanted),
    after: sectionsOf(after, wanted),
    renames: plan.steps.filter(({ action }) => action === 'rename'),
    mark,
  };
  await work.use(SchemaApplyRepository).save(record, plan.steps);
  return { data: { applyId: id, ...plan } };
}
