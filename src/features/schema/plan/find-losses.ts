import type { SchemaStep } from '../../../../contracts/vocabulary/schema-plan.js';
import type { SchemaChange } from '../../../content/schema/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { DeleteReportRepository } from '../../content-types/index.js';
import { FieldConversionRepository, FieldValueRepository } from '../../fields/index.js';
import type { StoredSchema } from '../store/read-schema.js';

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
  return context.work.use(FieldConversionRepository).loss({ ...before, contentTypeId, apiName }, after);
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
  const isBlocked = report.entryCount > 0;
  return {
    ...step,
    lost: { entries: report.deletedEntryCount, values: isBlocked ? 0 : values },
    blocker: isBlocked ? { code: 'content_type_in_use', details: report } : null,
  };
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
  if (step.action !== 'delete') return plain(step);
  if (step.kind === 'contentType') return typeStep(context, step);
  if (step.kind === 'role') return roleStep(context, step);
  return { ...plain(step), lost: { entries: 0, values: 0 } };
}

/** The steps with what they remove, and what prevents them. */
export async function withLosses(
  work: UnitOfWork,
  stored: StoredSchema,
  steps: readonly SchemaChange[],
): Promise<SchemaStep[]> {
  const found: SchemaStep[] = [];
  for (const step of steps) found.push(await planned({ work, stored, steps }, step));
  return found;
}
