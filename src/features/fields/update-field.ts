import { AppError } from '../../../contracts/errors.js';
import type { fields } from '../../../contracts/management/fields.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { FieldKind } from '../../../contracts/resources/field-kinds.js';
import type { Field } from '../../../contracts/resources/field.js';
import { fieldKindRules } from '../../content/field-kinds/index.js';
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
  const { canBecome } = fieldKindRules[before.type as FieldKind];
  if (!canBecome.includes(after.type as FieldKind)) {
    throw new AppError('incompatible_type_change', {
      from: before.type,
      to: after.type,
      possible: canBecome,
    });
  }
}

/** Values do not move between a list and a single value, nor between locales and the whole entry. */
async function assertPlacement(work: UnitOfWork, before: FieldRow, after: FieldRow): Promise<void> {
  if (after.isList === before.isList && after.localized === before.localized) return;
  const values = work.use(FieldValueRepository);
  const entryCount = await values.countHolders(before);
  if (entryCount > 0) throw new AppError('field_in_use', { entryCount });
  if (after.isList !== before.isList) await values.renewUnset(after, after.isList);
}

/** A field that becomes unique claims what is published already, unless entries share a value. */
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

/** The changed field: a new kind drops options that it does not know, unless new ones are given. */
function changed(before: FieldRow, changes: Partial<FieldRow>, now: Date): FieldRow {
  const isNewKind = changes.type !== undefined && changes.type !== before.type;
  const fresh = isNewKind ? { settings: {}, validations: {} } : {};
  return {
    ...before,
    ...fresh,
    ...changes,
    isList: (changes.type ?? before.type) === 'blocks' || (changes.isList ?? before.isList),
    updatedAt: now,
  };
}

/** The type with the changed field. A field that became a list titles entries no longer. */
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

/** Changes a field; a change of kind only where every value can follow. */
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
  // A type that the field has named may have been deleted since: that is no reason to refuse another change.
  const { contentTypes: known = [] } = old.settings as { contentTypes?: string[] };
  assertDefinition(field, {
    siblings: after.fields,
    typeNames: new Set([...catalog.data.contentTypes.map(({ apiName }) => apiName), ...known]),
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
