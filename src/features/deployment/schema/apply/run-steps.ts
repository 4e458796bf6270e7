import { AppError } from '../../../../../contracts/errors.js';
import { diffModels } from '../../../../content/schema/diff-schemas.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { readSchema, type StoredSchema } from '../store/read-schema.js';
import type { PreparedPlan } from '../plan/make-plan.js';
import { authorizeSteps } from '../store/schema.policy.js';
import {
  completeTypes,
  createTypes,
  deleteNamedTypes,
  deleteUnnamedTypes,
  releaseWorkflows,
  removeAndRenameFields,
  renameTypes,
  updateTypes,
} from './apply-types.js';
import { type ApplyContext, stepsOf } from './apply-context.js';
import {
  deleteCustomTypes,
  writeCustomTypes,
  deleteRoles,
  writeGrants,
  writeRoles,
  deleteWorkflows,
  writeWorkflows,
} from './apply-governing.js';
import { fieldsNamedBy, mapNamedFields } from '../../../../content/field-conditions.js';
import { movedNames } from '../../../../content/schema/normalize.js';
import type { ContentTypeModel, FieldModel } from '../../../../content/schema/schema-model.js';
import { ContentTypeRepository, type FieldRow } from '../../../content/content-types/index.js';
import { createField, updateField } from '../../../content/fields/index.js';
import { hasChanges } from '../../../shared/lists.js';

interface FieldPlace {
  readonly context: ApplyContext;
  readonly contentTypeApiName: string;
  /** Absent for a field that stays where it is. */
  readonly position?: number;
}

/** Keys of the definition that differ, with the options that a new kind would drop. */
function changesOf(held: FieldRow, wanted: FieldModel): Partial<FieldModel> {
  const { apiName: _apiName, ...definition } = wanted;
  const isNewKind = held.type !== wanted.type;
  const changed = Object.entries(definition).filter(
    ([key, value]) =>
      hasChanges(held, { [key]: value }) || (isNewKind && (key === 'settings' || key === 'validations')),
  );
  return Object.fromEntries(changed);
}

async function writeField(
  { context: { work, projectSlug }, contentTypeApiName, position }: FieldPlace,
  held: FieldRow | undefined,
  wanted: FieldModel,
): Promise<void> {
  const place = position === undefined ? {} : { position };
  if (held === undefined) {
    await createField(work, { projectSlug, contentTypeApiName, ...wanted, ...place });
    return;
  }
  const change = { ...changesOf(held, wanted), ...place };
  if (Object.keys(change).length > 0)
    await updateField(work, {
      projectSlug,
      contentTypeApiName,
      fieldApiName: wanted.apiName,
      // The plan was consented to.
      allowDestructive: true,
      ...change,
    });
}

/** The field without what names fields that do not exist yet. */
function withoutUnknown(field: FieldModel, known: readonly string[]): FieldModel {
  if (fieldsNamedBy(field).every((name) => known.includes(name))) return field;
  const keep = (name: string): string | undefined => (known.includes(name) ? name : undefined);
  return {
    ...field,
    settings: mapNamedFields(field.settings, keep),
    validations: mapNamedFields(field.validations, keep),
  };
}

/** What was written without the names of fields that came after it. */
async function completeFields(
  context: ApplyContext,
  contentTypeApiName: string,
  fields: readonly FieldModel[],
): Promise<void> {
  if (fields.length === 0) return;
  const held = await context.work.use(ContentTypeRepository).find(contentTypeApiName, 'update');
  for (const field of fields) {
    const row = held.fields.find(({ apiName }) => apiName === field.apiName);
    await writeField({ context, contentTypeApiName }, row, field);
  }
}

async function alignType(context: ApplyContext, { apiName, fields }: ContentTypeModel): Promise<void> {
  const held = await context.work.use(ContentTypeRepository).find(apiName, 'update');
  const rows = new Map(held.fields.map((field) => [field.apiName, field]));
  const order = held.fields.map((field) => field.apiName);
  const moved = movedNames(
    order,
    fields.map((field) => field.apiName),
  );
  const incomplete: FieldModel[] = [];
  let previous: string | undefined;
  for (const wanted of fields) {
    const field = withoutUnknown(wanted, [...order, wanted.apiName]);
    if (field !== wanted) incomplete.push(wanted);
    const row = rows.get(field.apiName);
    const place = { context, contentTypeApiName: apiName };
    if (row === undefined || moved.has(field.apiName)) {
      if (row !== undefined) order.splice(order.indexOf(field.apiName), 1);
      const position = previous === undefined ? 0 : order.indexOf(previous) + 1;
      order.splice(position, 0, field.apiName);
      await writeField({ ...place, position }, row, field);
    } else await writeField(place, row, field);
    previous = field.apiName;
  }
  await completeFields(context, apiName, incomplete);
}

/** Creates, changes and moves the fields of the types that the plan touches. */
async function alignFields(context: ApplyContext): Promise<void> {
  const created = stepsOf(context, 'contentType', 'create').map(({ name }) => name);
  const written = stepsOf(context, 'field', 'create', 'update', 'replace').map(
    ({ contentType }) => contentType,
  );
  const touched = new Set([...created, ...written]);
  for (const type of context.target.model.contentTypes ?? [])
    if (touched.has(type.apiName)) await alignType(context, type);
}

type Phase = (context: ApplyContext) => Promise<void>;

/** What is named exists before what names it, and is deleted after it. */
const phases: readonly Phase[] = [
  deleteUnnamedTypes,
  writeCustomTypes,
  renameTypes,
  writeRoles,
  updateTypes,
  removeAndRenameFields,
  createTypes,
  alignFields,
  writeWorkflows,
  completeTypes,
  releaseWorkflows,
  deleteWorkflows,
  deleteNamedTypes,
  writeGrants,
  deleteRoles,
  deleteCustomTypes,
];

/**
 * Makes the stored schema equal to the target, by the operations on its parts.
 * @returns the schema after it
 * @throws AppError of these operations; 409 `conflict` if the stored schema still differs
 */
export async function runSteps(
  work: UnitOfWork,
  { stored, target, plan }: PreparedPlan,
  projectSlug: string,
): Promise<StoredSchema> {
  const { steps } = plan;
  authorizeSteps(work, steps);
  const context = { work, projectSlug, stored, target, steps };
  for (const phase of phases) await phase(context);
  const after = await readSchema(work);
  const left = diffModels(after.model, target.model, target.renames);
  if (left.length > 0) throw new AppError('conflict', { steps: left });
  return after;
}
