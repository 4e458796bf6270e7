import { AppError } from '../../../contracts/errors.js';
import type { schema } from '../../../contracts/vocabulary/schema.contract.js';
import type { SchemaPlan } from '../../../contracts/vocabulary/schema-plan.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { diffModels, type DeclaredRenames } from '../../content/schema/index.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { sectionsOf } from './apply-schema.js';
import { runSteps } from './apply/run-steps.js';
import { makePlan } from './plan/make-plan.js';
import { readSchema } from './store/read-schema.js';
import { restoreValues } from './undo/restore-values.js';
import { assertReadable } from './store/schema.policy.js';
import { SchemaApplyRepository, type SchemaApplyRecord } from './store/schema-apply.repository.js';

const noRenames: DeclaredRenames = { contentTypes: new Map(), fields: new Map() };

/** The renames of the apply the other way round. */
function reversed({ renames }: SchemaApplyRecord): DeclaredRenames {
  const ofTypes = renames.filter(({ kind }) => kind === 'contentType');
  const types = new Map(ofTypes.map(({ from, name }) => [from ?? name, name]));
  const formerTypes = new Map(ofTypes.map(({ from, name }) => [name, from ?? name]));
  const fields = new Map<string, Map<string, string>>();
  for (const { kind, contentType, from, name } of renames) {
    if (kind !== 'field' || contentType === null) continue;
    const type = formerTypes.get(contentType) ?? contentType;
    fields.set(type, (fields.get(type) ?? new Map<string, string>()).set(from ?? name, name));
  }
  return { contentTypes: types, fields };
}

/**
 * Restores the definitions, names and values from before the last apply, if neither the schema has changed since nor entries
 * would lose values.
 * @throws AppError 404 `schema_apply_not_found`, 409 `schema_changed`, `destructive_change`
 */
export async function undoSchema(
  work: UnitOfWork,
  { projectSlug, applyId }: InputOf<typeof schema.undo>,
): Promise<{ data: SchemaPlan }> {
  const applies = work.use(SchemaApplyRepository);
  const record = await applies.find(applyId);
  assertReadable(work, record.before);
  const { model } = await readSchema(work);
  const changed = diffModels(record.after, sectionsOf(model, record.after), noRenames);
  if (changed.length > 0) throw new AppError('schema_changed', { steps: changed });
  const prepared = await makePlan(work, { model: record.before, renames: reversed(record) });
  const { plan } = prepared;
  const isLossy = plan.steps.some(({ lost, blocker }) => blocker !== null || (lost?.entries ?? 0) > 0);
  if (isLossy) throw new AppError('destructive_change', plan);
  await work.part(async (part) => {
    await runSteps(part, prepared, projectSlug);
    await restoreValues(part, plan.steps, record.mark);
  });
  await applies.remove(record, plan.steps);
  return { data: plan };
}
