import { fieldsNamedBy, mapNamedFields } from '../../../../content/field-conditions.js';
import { movedNames } from '../../../../content/schema/normalize.js';
import type { ContentTypeModel, FieldModel } from '../../../../content/schema/schema-model.js';
import { ContentTypeRepository, type FieldRow } from '../../../content/content-types/index.js';
import { createField, updateField } from '../../../content/fields/index.js';
import { hasChanges } from '../../../shared/lists.js';
import { stepsOf, type ApplyContext } from './apply-context.js';

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
export async function alignFields(context: ApplyContext): Promise<void> {
  const created = stepsOf(context, 'contentType', 'create').map(({ name }) => name);
  const written = stepsOf(context, 'field', 'create', 'update', 'replace').map(
    ({ contentType }) => contentType,
  );
  const touched = new Set([...created, ...written]);
  for (const type of context.target.model.contentTypes ?? [])
    if (touched.has(type.apiName)) await alignType(context, type);
}
