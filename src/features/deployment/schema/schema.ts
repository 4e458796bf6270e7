import { AppError } from '../../../../contracts/errors.js';
import type { schema } from '../../../../contracts/deployment/schema/schema.contract.js';
import type {
  SchemaApply,
  SchemaPlan,
  SchemaDocument,
} from '../../../../contracts/deployment/schema/schema-plan.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { sections, type SchemaModel, type DeclaredRenames } from '../../../content/schema/schema-model.js';
import { compactDocument } from '../../../content/schema/normalize.js';
import { diffModels } from '../../../content/schema/diff-schemas.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { runSteps } from './apply/run-steps.js';
import { makePlan, targetOf } from './plan/make-plan.js';
import { SchemaApplyRepository, type SchemaApplyRecord } from './store/schema.repository.js';
import { limits } from '../../../../contracts/limits.js';
import { readSchema } from './store/read-schema.js';
import { readableSections, assertReadable } from './store/schema.policy.js';
import { restoreValues } from './undo/restore-values.js';

/** The sections that another model has. */
function sectionsOf(model: SchemaModel, other: SchemaModel): SchemaModel {
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

interface SchemaExport {
  schema: SchemaDocument;
  yaml?: string;
  fileName?: string;
}

/** The schema by name, in an order that depends on nothing but the names. */
export async function exportSchema(
  work: UnitOfWork,
  { format, projectSlug }: InputOf<typeof schema.export>,
): Promise<{ data: SchemaExport }> {
  const { model } = await readSchema(work);
  const limit = limits.schemaContentTypes;
  if (model.contentTypes.length > limit) throw new AppError('limit_reached', { limit });
  const document = compactDocument(readableSections(work, model));
  if (format === 'json') return { data: { schema: document } };
  const { stringify } = await import('yaml');
  // Anchors would make a change of one place look like a change of another.
  const yaml = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  return { data: { schema: document, yaml, fileName: `${projectSlug}.schema.yaml` } };
}

export async function planSchema(
  work: UnitOfWork,
  input: InputOf<typeof schema.plan>,
): Promise<{ data: SchemaPlan }> {
  const { plan } = await makePlan(work, targetOf(input.schema));
  return { data: plan };
}

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
