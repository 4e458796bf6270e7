import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { checkJsonSchema } from '../../../../content/json-schema/index.js';
import { isReservedTypeName } from '../../../../content/model/api-names.js';
import {
  type ContentTypeModel,
  type SchemaChange,
  type SchemaModel,
  declaredRenames,
  type DeclaredRenames,
} from '../../../../content/schema/schema-model.js';
import { diffModels } from '../../../../content/schema/diff-schemas.js';
import { documentIssues, targetWarnings } from '../../../../content/schema/check-document.js';
import { normalizeDocument } from '../../../../content/schema/normalize.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import {
  assertDefinition,
  fieldRow,
  DeleteReportRepository,
  TypeLocalesRepository,
} from '../../../content/content-types/index.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { type StoredSchema, readSchema } from '../store/read-schema.js';
import type {
  SchemaStep,
  SchemaPlan,
  SchemaDocument,
} from '../../../../../contracts/deployment/schema/schema-plan.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { FieldConversionRepository, FieldValueRepository } from '../../../content/fields/index.js';
import { assertReadable } from '../store/schema.policy.js';

const noFrame = {
  tenantId: '',
  environmentId: '',
  contentTypeId: '',
  now: new Date(0),
  newId: () => '',
};

const byApiName = <T extends { apiName: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.apiName, item]));

/** Names of the fields of a type that the plan writes; all of a new type. */
function writtenFields(
  { apiName, fields }: ContentTypeModel,
  changes: readonly SchemaChange[],
): ReadonlySet<string> {
  const isNew = changes.some(
    ({ kind, action, name }) => kind === 'contentType' && action === 'create' && name === apiName,
  );
  if (isNew) return new Set(fields.map((field) => field.apiName));
  const written = changes.filter(
    ({ kind, contentType, action }) =>
      kind === 'field' && contentType === apiName && action !== 'delete' && action !== 'rename',
  );
  return new Set(written.map(({ name }) => name));
}

function assertJsonSchemas({ customFieldTypes = [] }: SchemaModel, changes: readonly SchemaChange[]): void {
  const written = changes.filter(({ kind, action }) => kind === 'customFieldType' && action !== 'delete');
  const names = new Set(written.map(({ name }) => name));
  for (const { apiName, jsonSchema } of customFieldTypes.filter((type) => names.has(type.apiName))) {
    const path = ['schema', 'customFieldTypes', apiName, 'jsonSchema'];
    const problems = checkJsonSchema(jsonSchema);
    if (problems.length > 0)
      throw invalidInput(...problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })));
  }
}

/** The fields of a type before the plan, by their names then. */
function storedFields({ model }: StoredSchema, typeName: string, changes: readonly SchemaChange[]) {
  const rename = changes.find(
    ({ kind, action, name }) => kind === 'contentType' && action === 'rename' && name === typeName,
  );
  const former = rename?.from ?? typeName;
  return byApiName(model.contentTypes.find(({ apiName }) => apiName === former)?.fields ?? []);
}

/**
 * Checks the definitions that the plan writes, so that a plan fails where its apply would.
 * @throws AppError 422 and 404 as the operations on content types and fields, with paths in the document
 */
async function assertDefinitions(
  stored: StoredSchema,
  { model }: { readonly model: SchemaModel },
  changes: readonly SchemaChange[],
): Promise<void> {
  assertJsonSchemas(model, changes);
  const types = byApiName(model.contentTypes ?? []);
  const customTypes = byApiName(model.customFieldTypes ?? stored.model.customFieldTypes);
  const created = changes.filter(({ kind, action }) => kind === 'contentType' && action !== 'delete');
  const reserved = created.find(({ name }) => isReservedTypeName(name) && !stored.typeIds.has(name));
  if (reserved !== undefined) throw new AppError('reserved_api_name', { apiName: reserved.name });
  const turns = new Turns();
  for (const [typeName, type] of types) {
    const written = writtenFields(type, changes);
    if (written.size === 0) continue;
    const before = storedFields(stored, typeName, changes);
    const siblings = type.fields.map((field, position) =>
      fieldRow({ ...noFrame, isTypeLocalized: type.isLocalized }, { ...field }, position),
    );
    for (const field of siblings.filter(({ apiName }) => written.has(apiName))) {
      const old = before.get(field.apiName);
      const { contentTypes: known = [] } = (old?.settings ?? {}) as { contentTypes?: string[] };
      const path = ['schema', 'contentTypes', typeName, 'fields', field.apiName];
      assertDefinition(field, {
        siblings,
        types,
        known: old?.type === field.type ? known : [],
        customTypes,
        path,
      });
      await turns.pause();
    }
  }
}

type Context = {
  readonly work: UnitOfWork;
  readonly stored: StoredSchema;
  readonly steps: readonly SchemaChange[];
};
type Lost = NonNullable<SchemaStep['lost']>;

const plain = (step: SchemaChange): SchemaStep => ({ ...step, lost: null, blocker: null });

/** Name of a type before the plan. */
const formerType = (steps: readonly SchemaChange[], name: string): string =>
  steps.find((step) => step.action === 'rename' && step.kind === 'contentType' && step.name === name)?.from ??
  name;

function fieldLocation({ stored, steps }: Context, { name, contentType }: SchemaChange) {
  const typeName = formerType(steps, contentType ?? '');
  const renamed = steps.find(
    (step) => step.action === 'rename' && step.contentType === contentType && step.name === name,
  );
  const apiName = renamed?.from ?? name;
  const id = stored.fieldIds.get(typeName)?.get(apiName) ?? '';
  return { id, contentTypeId: stored.typeIds.get(typeName) ?? '', apiName };
}

async function lostValues(context: Context, step: SchemaChange): Promise<Lost> {
  const values = context.work.use(FieldValueRepository);
  const location = fieldLocation(context, step);
  return { entries: await values.countHolders(location), values: await values.countValues(location) };
}

/** Null if the field keeps its form. */
async function convertedLoss(context: Context, step: SchemaChange): Promise<Lost | null> {
  const changed = new Map(step.changes.map(({ key, after }) => [key, after]));
  if (!changed.has('isList') && !changed.has('localized')) return null;
  const { contentTypeId, apiName } = fieldLocation(context, step);
  const typeName = formerType(context.steps, step.contentType ?? '');
  const before = context.stored.model.contentTypes
    .find((type) => type.apiName === typeName)
    ?.fields.find((field) => field.apiName === apiName);
  if (before === undefined) return null;
  const after = { ...before, ...Object.fromEntries(changed) };
  const catalog = await context.work.use(CatalogRepository).current();
  const place = { ...before, contentTypeId, apiName };
  return context.work.use(FieldConversionRepository).loss(catalog, place, after);
}

async function fieldStep(context: Context, step: SchemaChange): Promise<SchemaStep> {
  const { action } = step;
  if (action === 'delete' || action === 'replace')
    return { ...plain(step), lost: await lostValues(context, step) };
  const lost = action === 'update' ? await convertedLoss(context, step) : null;
  return lost === null || lost.entries === 0 ? plain(step) : { ...plain(step), lost };
}

/** Entries are never deleted with their type, except those in the trash. */
async function typeStep({ work, stored }: Context, step: SchemaChange): Promise<SchemaStep> {
  const contentTypeId = stored.typeIds.get(step.name) ?? '';
  const report = await work.use(DeleteReportRepository).of(contentTypeId, step.name);
  const values = await work.use(FieldValueRepository).countValues({ contentTypeId });
  const isBlocked = report.entryCount > 0 || report.ownedBlockCount > 0;
  return {
    ...step,
    lost: { entries: report.deletedEntryCount, values: isBlocked ? 0 : values },
    blocker: isBlocked ? { code: 'content_type_in_use', details: report } : null,
  };
}

/** Entries that are published in several locales keep the locales of their type. */
async function localesStep({ work, stored, steps }: Context, step: SchemaChange): Promise<SchemaStep> {
  const losesLocales = step.changes.some(({ key, after }) => key === 'isLocalized' && after === false);
  const contentTypeId = stored.typeIds.get(formerType(steps, step.name)) ?? '';
  const details = losesLocales ? await work.use(TypeLocalesRepository).translated(contentTypeId) : undefined;
  return { ...plain(step), blocker: details === undefined ? null : { code: 'content_type_in_use', details } };
}

function roleStep({ stored }: Context, step: SchemaChange): SchemaStep {
  const { memberCount = 0 } = stored.roles.get(step.name) ?? {};
  const lost = { entries: 0, values: 0 };
  return {
    ...step,
    lost,
    blocker: memberCount > 0 ? { code: 'role_in_use', details: { memberCount } } : null,
  };
}

function planned(context: Context, step: SchemaChange): SchemaStep | Promise<SchemaStep> {
  if (step.kind === 'field') return fieldStep(context, step);
  if (step.kind === 'contentType' && step.action === 'update') return localesStep(context, step);
  if (step.action !== 'delete') return plain(step);
  if (step.kind === 'contentType') return typeStep(context, step);
  if (step.kind === 'role') return roleStep(context, step);
  return { ...plain(step), lost: { entries: 0, values: 0 } };
}

/** The steps with what they remove, and what prevents them. */
async function withLosses(
  work: UnitOfWork,
  stored: StoredSchema,
  steps: readonly SchemaChange[],
): Promise<SchemaStep[]> {
  const found: SchemaStep[] = [];
  for (const step of steps) found.push(await planned({ work, stored, steps }, step));
  return found;
}

/** The wanted schema, and the renames that lead to it. */
export interface Target {
  readonly model: SchemaModel;
  readonly renames: DeclaredRenames;
}

export interface PreparedPlan {
  readonly stored: StoredSchema;
  readonly target: Target;
  readonly plan: SchemaPlan;
}

const isDestructive = ({ action, lost }: SchemaStep): boolean =>
  action === 'delete' || action === 'replace' || lost !== null;

/** @throws AppError 422 for a document that contradicts itself */
export function targetOf(document: SchemaDocument): Target {
  const issues = documentIssues(document);
  if (issues.length > 0) throw invalidInput(...issues);
  return { model: normalizeDocument(document), renames: declaredRenames(document) };
}

/**
 * The steps from the stored schema to the target. The number of statements is constant but for those that count what
 * destructive steps remove.
 * @throws AppError 403 for a section that the caller cannot read, 422 for invalid definitions
 */
export async function makePlan(work: UnitOfWork, target: Target): Promise<PreparedPlan> {
  assertReadable(work, target.model);
  const stored = await readSchema(work);
  const changes = diffModels(stored.model, target.model, target.renames);
  await assertDefinitions(stored, target, changes);
  const steps = await withLosses(work, stored, changes);
  const { contentTypes } = target.model;
  const plan = {
    steps,
    isDestructive: steps.some(isDestructive),
    warnings: contentTypes === undefined ? [] : targetWarnings(contentTypes),
  };
  return { stored, target, plan };
}
