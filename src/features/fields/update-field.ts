import { AppError } from '../../../contracts/errors.js';
import type { fields } from '../../../contracts/management/fields.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Field } from '../../../contracts/resources/field.js';
import { compatibleKinds, kindOf } from '../../content/field-kinds/index.js';
import { canTitle } from '../../content/title-field.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import {
  assertDefinition,
  ContentTypeRepository,
  TitleRepository,
  presentField,
  type WholeContentType,
  type FieldRow,
} from '../content-types/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { FieldValueRepository } from './field-values.repository.js';
import { placed } from './positions.js';

function assertCompatible(before: FieldRow, after: FieldRow): void {
  if (after.type === before.type) return;
  const possible: readonly string[] = compatibleKinds(before.type);
  if (!possible.includes(after.type))
    throw new AppError('incompatible_type_change', { from: before.type, to: after.type, possible });
}

/** Values are not moved between a list and a single value, nor between a locale and the whole entry. */
async function assertPlacement(work: UnitOfWork, before: FieldRow, after: FieldRow): Promise<void> {
  if (after.isList === before.isList && after.localized === before.localized) return;
  const values = work.use(FieldValueRepository);
  const entryCount = await values.countHolders(before);
  if (entryCount > 0) throw new AppError('field_in_use', { entryCount });
  if (after.isList !== before.isList) await values.renewUnset(after, after.isList);
}

/** A field that becomes unique claims the published values, which must be distinct. */
async function followUnique(work: UnitOfWork, before: FieldRow, after: FieldRow): Promise<void> {
  if (after.unique === before.unique) return;
  const values = work.use(FieldValueRepository);
  if (!after.unique) return values.releaseClaims(after.id);
  if (await values.claimPublished(after, after.localized)) return;
  throw new AppError(
    'field_in_use',
    { field: after.apiName },
    'Published entries share a value of this field.',
  );
}

/** A new kind drops the options of the old one unless new ones are given. */
function changed(before: FieldRow, changes: Partial<FieldRow>, now: Date): FieldRow {
  const isNewKind = changes.type !== undefined && changes.type !== before.type;
  const fresh = isNewKind ? { settings: {}, validations: {} } : {};
  const field = { ...before, ...fresh, ...changes, updatedAt: now };
  return { ...field, isList: kindOf(field).isAlwaysList || field.isList };
}

/** The type with the changed field. A field that became a list cannot remain the display field. */
function withField(before: WholeContentType, field: FieldRow, now: Date): WholeContentType {
  const others = before.fields.filter(({ id }) => id !== field.id);
  const isLost = before.type.displayField === field.apiName && !canTitle(field);
  const displayField = isLost ? null : before.type.displayField;
  return {
    ...before,
    type: { ...before.type, displayField, schemaVersion: before.type.schemaVersion + 1, updatedAt: now },
    fields: placed(others, field, field.position),
  };
}

/** Changes a field. The kind can change only where every value remains valid. */
export async function updateField(
  work: UnitOfWork,
  input: InputOf<typeof fields.update>,
): Promise<{ data: Field }> {
  const { projectSlug: _project, contentTypeApiName, fieldApiName, ...change } = input;
  const changes = definedKeys(change) as Partial<FieldRow>;
  const types = work.use(ContentTypeRepository);
  const before = await types.find(contentTypeApiName, 'update');
  const old = before.fields.find(({ apiName }) => apiName === fieldApiName);
  if (old === undefined) throw new AppError('field_not_found');
  if (!hasChanges(old, changes)) return { data: presentField(old) };
  const field = changed(old, changes, work.now);
  assertCompatible(old, field);
  await assertPlacement(work, old, field);
  const after = withField(before, field, work.now);
  const catalog = await work.use(CatalogRepository).current();
  // A content type that the settings already name may have been deleted or become a block: other changes stay possible.
  const { contentTypes: known = [] } = old.settings as { contentTypes?: string[] };
  assertDefinition(field, {
    siblings: after.fields,
    types: catalog.contentTypes,
    known: field.type === old.type ? known : [],
    customTypes: catalog.customFieldTypes,
    path: [],
  });
  await types.save(before, after);
  await followUnique(work, old, field);
  await work.use(TitleRepository).follow(before, after);
  types.note({ action: 'field.update', before, after });
  work.emit({ type: 'content_type.updated', data: { contentTypeApiName } });
  return { data: presentField(after.fields.find(({ id }) => id === field.id) ?? field) };
}
