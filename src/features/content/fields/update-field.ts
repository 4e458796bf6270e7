import { AppError } from '../../../../contracts/errors.js';
import type { fields } from '../../../../contracts/content/fields/fields.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Field } from '../../../../contracts/content/fields/field.js';
import { isGroup, textTargetsOf } from '../../../content/model/field-definition.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Catalog } from '../../../content/catalog.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { compatibleKinds, kindOf } from '../../../content/field-kinds/index.js';
import { canTitle } from '../../../content/slug-field.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import {
  assertDefinition,
  ContentTypeRepository,
  TitleRepository,
  presentField,
  type FieldRow,
  type WholeContentType,
} from '../content-types/index.js';
import { FieldValueRepository } from './field-values.repository.js';
import { FieldConversionRepository } from './field-conversion.repository.js';
import { leaveApprovals, placed } from './fields.js';

type Shape = Pick<FieldRow, 'settings' | 'validations'>;

const isGroupRow = ({ settings, validations }: Shape): boolean =>
  isGroup({
    settings: settings as Record<string, unknown>,
    validations: validations as Record<string, unknown>,
  });

/**
 * A group is published as an object and a list as a list, so only fields without values change between them.
 * @throws AppError 409 `field_in_use`
 */
export async function changeGroup(work: UnitOfWork, before: FieldRow, after: Shape): Promise<void> {
  const is = isGroupRow(after);
  if (isGroupRow(before) === is) return;
  const values = work.use(FieldValueRepository);
  const entryCount = await values.countHolders(before);
  const message = 'Entries have values of this field. It can be a group or a list only while it has none.';
  if (entryCount > 0) throw new AppError('field_in_use', { field: before.apiName, entryCount }, message);
  await values.renewUnset(before, !is);
}

function assertCompatible(before: FieldRow, after: FieldRow): void {
  if (after.type === before.type) return;
  const possible: readonly string[] = compatibleKinds(before.type);
  if (!possible.includes(after.type))
    throw new AppError('incompatible_type_change', { from: before.type, to: after.type, possible });
}

/**
 * Converts the values of a field that becomes a list, one value, localized or shared (rule content/conversions).
 * @throws AppError 409 `field_in_use` if values are lost without consent
 */
async function convertValues(
  work: UnitOfWork,
  {
    catalog,
    before,
    after,
  }: { readonly catalog: Catalog; readonly before: FieldRow; readonly after: FieldRow },
  allowDestructive: boolean,
): Promise<void> {
  if (after.isList === before.isList && after.localized === before.localized) return;
  const conversion = work.use(FieldConversionRepository);
  const lost = allowDestructive ? null : await conversion.loss(catalog, before, after);
  if (lost !== null && lost.entries > 0)
    throw new AppError('field_in_use', { entryCount: lost.entries, lost }, LOSES);
  await leaveApprovals(work, before, after.localized !== before.localized);
  await conversion.convert(catalog, before, after);
}

const LOSES = 'The conversion loses values. Send `allowDestructive: true` to convert them all the same.';

/** A unique field claims the published values, which must be distinct, in each locale if it is localized. */
async function followUnique(work: UnitOfWork, before: FieldRow, after: FieldRow): Promise<void> {
  if (after.unique === before.unique && (!after.unique || after.localized === before.localized)) return;
  const values = work.use(FieldValueRepository);
  if (before.unique) await values.releaseClaims(after.id);
  if (!after.unique) return;
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
  const isList = kindOf(field).isAlwaysList || field.isList;
  const isGiven = changes.defaultValue !== undefined;
  return { ...field, isList, ...(!isGiven && { defaultValue: convertedDefault(before, isList) }) };
}

function convertedDefault({ isList: wasList, defaultValue }: FieldRow, isList: boolean): unknown {
  if (wasList === isList || defaultValue === null || defaultValue === undefined) return defaultValue;
  if (isList) return [defaultValue];
  return Array.isArray(defaultValue) ? ((defaultValue as unknown[])[0] ?? null) : defaultValue;
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

/** Titles of locales change with the value that they share. */
async function followTitles(
  work: UnitOfWork,
  before: WholeContentType,
  after: WholeContentType,
): Promise<void> {
  const placed = ({ fields }: WholeContentType) =>
    fields.map(({ id, localized }) => `${id} ${String(localized)}`).sort();
  const isMoved = !isEqualJson(placed(before), placed(after));
  await work.use(TitleRepository).follow(before, after, isMoved);
}

/** Changes a field. The kind can change only where every value remains valid. */
export async function updateField(
  work: UnitOfWork,
  input: InputOf<typeof fields.update>,
): Promise<{ data: Field }> {
  const { projectSlug: _project, contentTypeApiName, fieldApiName, allowDestructive, ...change } = input;
  const changes = definedKeys(change) as Partial<FieldRow>;
  const types = work.use(ContentTypeRepository);
  const before = await types.find(contentTypeApiName, 'update');
  const old = before.fields.find(({ apiName }) => apiName === fieldApiName);
  if (old === undefined) throw new AppError('field_not_found');
  if (!hasChanges(old, changes)) return { data: presentField(old) };
  const field = changed(old, changes, work.now);
  assertCompatible(old, field);
  const after = withField(before, field, work.now);
  const catalog = await work.use(CatalogRepository).current();
  // A content type that the settings already name may have been deleted or become a block: other changes stay possible.
  const { contentTypes = [] } = old.settings as { contentTypes?: string[] };
  const known = [...contentTypes, ...textTargetsOf(old.validations).map(({ name }) => name)];
  assertDefinition(field, {
    siblings: after.fields,
    types: catalog.contentTypes,
    known: field.type === old.type ? known : [],
    customTypes: catalog.customFieldTypes,
    path: [],
  });
  await changeGroup(work, old, field);
  await convertValues(work, { catalog, before: old, after: field }, allowDestructive);
  await types.save(before, after);
  await followUnique(work, old, field);
  await followTitles(work, before, after);
  types.note({ action: 'field.update', before, after });
  work.emit({ type: 'content_type.updated', data: { contentTypeApiName } });
  return { data: presentField(after.fields.find(({ id }) => id === field.id) ?? field) };
}
