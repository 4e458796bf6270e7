import { fieldsNamedBy } from '../../../../content/field-conditions.js';
import type { ContentTypeModel, FieldModel } from '../../../../content/schema/schema-model.js';
import {
  ContentTypeRepository,
  createContentType,
  deleteContentType,
  renameContentType,
  updateContentType,
} from '../../../content/content-types/index.js';
import { deleteField, renameField } from '../../../content/fields/index.js';
import { changedValues, inDocument, stepsOf, type ApplyContext } from './apply-context.js';

export async function renameTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { from, name } of stepsOf(context, 'contentType', 'rename'))
    await renameContentType(work, { projectSlug, contentTypeApiName: from ?? name, apiName: name });
}

/** Properties that name neither fields nor workflows, which change later. */
export async function updateTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const step of stepsOf(context, 'contentType', 'update')) {
    const changes = changedValues(step, 'displayField', 'workflowSlug');
    if (Object.keys(changes).length > 0)
      await inDocument('contentTypes', step.name, () =>
        updateContentType(work, { projectSlug, apiName: step.name, ...changes }),
      );
  }
}

export async function removeAndRenameFields(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { contentType, name } of stepsOf(context, 'field', 'delete'))
    await deleteField(work, {
      projectSlug,
      contentTypeApiName: contentType ?? '',
      fieldApiName: name,
      force: true,
    });
  for (const { contentType, from, name } of stepsOf(context, 'field', 'rename'))
    await renameField(work, {
      projectSlug,
      contentTypeApiName: contentType ?? '',
      fieldApiName: from ?? name,
      apiName: name,
    });
  for (const { contentType, name } of stepsOf(context, 'field', 'replace'))
    await deleteField(work, {
      projectSlug,
      contentTypeApiName: contentType ?? '',
      fieldApiName: name,
      force: true,
    });
}

const typesNamedBy = ({ settings }: FieldModel): readonly string[] =>
  (settings as { readonly contentTypes?: readonly string[] }).contentTypes ?? [];

/** Fields that name only fields among them. */
function withoutWaiting(fields: readonly FieldModel[]): FieldModel[] {
  const names = new Set(fields.map(({ apiName }) => apiName));
  const ready = fields.filter((field) => fieldsNamedBy(field).every((name) => names.has(name)));
  return ready.length === fields.length ? ready : withoutWaiting(ready);
}

/** Fields that name no type which does not exist yet, and no field that waits. */
function creatableFields({ fields }: ContentTypeModel, known: ReadonlySet<string>): FieldModel[] {
  const ready = fields.filter((field) => typesNamedBy(field).every((name) => known.has(name)));
  return withoutWaiting(ready);
}

/** Types whose fields name existing types first; those in a cycle follow with the fields that they can have. */
function creationOrder(types: readonly ContentTypeModel[], known: Set<string>) {
  const waiting = new Map(types.map((type) => [type.apiName, type]));
  const order: { type: ContentTypeModel; fields: FieldModel[] }[] = [];
  while (waiting.size > 0) {
    const candidates = [...waiting.values()].map((type) => ({
      type,
      fields: creatableFields(type, new Set([...known, type.apiName])),
    }));
    const whole = candidates.filter(({ type, fields }) => fields.length === type.fields.length);
    for (const next of whole.length > 0 ? whole : candidates.slice(0, 1)) {
      order.push(next);
      known.add(next.type.apiName);
      waiting.delete(next.type.apiName);
    }
  }
  return order;
}

const wantedTypes = ({ target }: ApplyContext): readonly ContentTypeModel[] =>
  target.model.contentTypes ?? [];

/** Without their workflows, which do not exist yet. */
export async function createTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  const created = new Set(stepsOf(context, 'contentType', 'create').map(({ name }) => name));
  const known = new Set(wantedTypes(context).map(({ apiName }) => apiName));
  for (const name of created) known.delete(name);
  const types = wantedTypes(context).filter(({ apiName }) => created.has(apiName));
  for (const { type, fields } of creationOrder(types, known)) {
    const { displayField: _display, workflowSlug: _workflow, ...properties } = type;
    await inDocument('contentTypes', type.apiName, () =>
      createContentType(work, { projectSlug, ...properties, fields }),
    );
  }
}

/** The display field and the workflow, as far as they differ from the target. */
export async function completeTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug, steps } = context;
  const touched = new Set(
    steps.flatMap(({ kind, name, contentType }) => (kind === 'contentType' ? name : (contentType ?? []))),
  );
  for (const type of wantedTypes(context)) {
    if (!touched.has(type.apiName)) continue;
    const { type: held } = await work.use(ContentTypeRepository).find(type.apiName, 'update');
    const { displayField, workflowSlug } = type;
    if (held.displayField !== displayField || held.workflowSlug !== workflowSlug)
      await inDocument('contentTypes', type.apiName, () =>
        updateContentType(work, { projectSlug, apiName: type.apiName, displayField, workflowSlug }),
      );
  }
}

/** Deleted types that a workflow names. */
function namedByWorkflow(context: ApplyContext): ContentTypeModel[] {
  const { workflows, contentTypes } = context.stored.model;
  const named = new Set(workflows.flatMap((workflow) => workflow.contentTypes));
  const deleted = new Set(stepsOf(context, 'contentType', 'delete').map(({ name }) => name));
  return contentTypes.filter(({ apiName }) => deleted.has(apiName) && named.has(apiName));
}

/** Before renames and creations, because their names may be wanted again. */
export async function deleteUnnamedTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  const named = new Set(namedByWorkflow(context).map(({ apiName }) => apiName));
  for (const { name } of stepsOf(context, 'contentType', 'delete'))
    if (!named.has(name)) await deleteContentType(work, { projectSlug, apiName: name });
}

/** A workflow and a content type that name each other are both deleted. */
export async function releaseWorkflows(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { apiName, workflowSlug } of namedByWorkflow(context))
    if (workflowSlug !== null) await updateContentType(work, { projectSlug, apiName, workflowSlug: null });
}

/** After the workflows that named them. */
export async function deleteNamedTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { apiName } of namedByWorkflow(context)) await deleteContentType(work, { projectSlug, apiName });
}
