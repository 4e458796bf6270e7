import { AppError } from '../../../../contracts/errors.js';
import { mapNamedFields } from '../../../content/field-conditions.js';
import { typeNameOf } from '../../../content/model/api-names.js';
import { compatibleKinds } from '../../../content/field-kinds/index.js';
import { contentTypeClash } from '../../../content/graphql-names.js';
import { ROOT, type Properties } from '../../../content/three-way.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  ContentTypeRepository,
  TitleRepository,
  TypeLocalesRepository,
  type FieldRow,
} from '../../content/content-types/index.js';
import { changeGroup, FieldValueRepository, leaveApprovals } from '../../content/fields/index.js';
import { RenameRepository, StoredNamesRepository } from '../../environments/renames/index.js';
import { mergedRow, ofKind } from './apply-rows.js';
import type { ItemRow } from './item.repository.js';
import type { PlannedItem, PromotionPlan } from './promotion-plan.js';
import { RowRepository } from './row.repository.js';
import { RewritingRepository } from '../../shared/rewriting.repository.js';

/** Names in the target after the promotion, by id. */
export interface MergedNames {
  typeName(id: string): string;
}

export function mergedNames(plan: PromotionPlan): MergedNames {
  const planned = new Map(
    ofKind(plan, 'contentType').map(({ id, merged }) => [id, String(merged.get(ROOT)?.api_name)]),
  );
  return { typeName: (id) => planned.get(id) ?? plan.names.target.typeName(id) ?? id };
}

/** Links name their types again. */
export function linkByName(value: unknown, names: MergedNames): unknown {
  if (Array.isArray(value)) return value.map((item) => linkByName(item, names));
  if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
  return { ...value, _type: names.typeName(String(value._type)) };
}

const fieldParts = ({ merged }: PlannedItem): [string, Properties][] =>
  [...merged].filter(([part]) => part !== ROOT);

function fieldRow(
  work: UnitOfWork,
  item: PlannedItem,
  { part, values, names }: { part: string; values: Properties; names: MergedNames },
): ItemRow {
  const byName = (id: string): string | undefined => {
    const name = item.merged.get(id)?.api_name;
    return typeof name === 'string' ? name : undefined;
  };
  const { contentTypes, ...settings } = mapNamedFields(values.settings as ItemRow, byName);
  const own = {
    ...settings,
    ...(Array.isArray(contentTypes) && {
      contentTypes: contentTypes.map((id) => names.typeName(String(id))),
    }),
  };
  const validations = mapNamedFields((values.validations ?? {}) as ItemRow, byName);
  const written = {
    ...values,
    settings: own,
    validations,
    default_value: linkByName(values.default_value, names),
  };
  return mergedRow(work, item, { part, values: written });
}

/** In their order; ties, which both sides made, by id. */
function fieldRows(work: UnitOfWork, item: PlannedItem, names: MergedNames): ItemRow[] {
  const rows = fieldParts(item).map(([part, values]) => fieldRow(work, item, { part, values, names }));
  const order = (a: ItemRow, b: ItemRow): number =>
    Number(a.position) - Number(b.position) || (String(a.id) < String(b.id) ? -1 : 1);
  return rows.sort(order).map((row, position) => ({ ...row, position }));
}

function typeRow(work: UnitOfWork, item: PlannedItem): ItemRow {
  const values = item.merged.get(ROOT) ?? {};
  const { display_field: display } = values;
  const row = mergedRow(work, item);
  const version = item.stored.target.find(({ part }) => part === ROOT)?.row.schema_version;
  return {
    ...row,
    type_name: typeNameOf(String(values.api_name)),
    display_field: typeof display === 'string' ? (item.merged.get(display)?.api_name ?? null) : null,
    schema_version: Number(version ?? 0) + 1,
  };
}

/** Values are not moved between kinds, lists and locales; the target may have values that the source has not. */
async function assertFieldChange(work: UnitOfWork, before: FieldRow, after: ItemRow): Promise<void> {
  const possible: readonly string[] = compatibleKinds(before.type);
  if (after.type !== before.type && !possible.includes(String(after.type)))
    throw new AppError('incompatible_type_change', {
      field: before.apiName,
      from: before.type,
      to: after.type,
    });
  await changeGroup(work, before, after as Pick<FieldRow, 'settings' | 'validations'>);
  if (after.is_list === before.isList && after.localized === before.localized) return;
  const values = work.use(FieldValueRepository);
  const entryCount = await values.countHolders(before);
  if (entryCount > 0) throw new AppError('field_in_use', { field: before.apiName, entryCount });
  if (after.is_list !== before.isList) await values.renewUnset(before, after.is_list === true);
}

async function followUnique(work: UnitOfWork, before: FieldRow, after: FieldRow): Promise<void> {
  if (before.unique === after.unique) return;
  const values = work.use(FieldValueRepository);
  if (!after.unique) return values.releaseClaims(after.id);
  if (await values.claimPublished(after, after.localized)) return;
  throw new AppError(
    'field_in_use',
    { field: after.apiName },
    'Published entries share a value of this field.',
  );
}

/** Those first whose new name is free, so that no values are replaced. */
async function renameFields(
  work: UnitOfWork,
  { merged }: PlannedItem,
  fields: readonly FieldRow[],
): Promise<void> {
  const kept = fields.filter(({ id }) => merged.has(id));
  const used = new Set(kept.map(({ apiName }) => apiName));
  let pending = kept.flatMap(({ id, contentTypeId, apiName: from }) => {
    const to = String(merged.get(id)?.api_name);
    return to === from ? [] : [{ id, contentTypeId, from, to }];
  });
  while (pending.length > 0) {
    const next = pending.find(({ to }) => !used.has(to));
    if (next === undefined) throw new AppError('api_name_conflict', { apiName: pending[0]?.to });
    await work.use(RenameRepository).renameField(next);
    await work.use(StoredNamesRepository).renameField(next);
    await work.use(RowRepository).renameField(next.id, next.to);
    used.delete(next.from);
    used.add(next.to);
    pending = pending.filter((one) => one !== next);
  }
}

/** Rewrites the values of the target for renamed and deleted fields. */
async function rewriteValues(
  work: UnitOfWork,
  item: PlannedItem,
  before: { readonly apiName: string; readonly fields: readonly FieldRow[] },
): Promise<void> {
  const typeName = String(item.merged.get(ROOT)?.api_name);
  const deleted = before.fields.filter(({ id }) => !item.merged.has(id));
  for (const field of deleted) {
    await leaveApprovals(work, field);
    await work.use(FieldValueRepository).removeValues(field);
  }
  await work.use(RowRepository).remove(
    'fields',
    deleted.map(({ id }) => id),
  );
  await renameFields(work, item, before.fields);
  if (typeName === before.apiName) return;
  const rename = { contentTypeId: item.id, from: before.apiName, to: typeName };
  await work.use(RenameRepository).renameContentType(rename);
  await work.use(StoredNamesRepository).renameContentType(rename);
}

async function updateType(work: UnitOfWork, item: PlannedItem, names: MergedNames): Promise<void> {
  const types = work.use(ContentTypeRepository);
  const known = String(item.stored.target.find(({ part }) => part === ROOT)?.row.api_name);
  const before = await types.find(known, 'update');
  await rewriteValues(work, item, { apiName: known, fields: before.fields });
  const rows = fieldRows(work, item, names);
  for (const field of before.fields) {
    const row = rows.find(({ id }) => id === field.id);
    if (row !== undefined) await assertFieldChange(work, { ...field, apiName: String(row.api_name) }, row);
  }
  const root = item.merged.get(ROOT);
  const locales = work.use(TypeLocalesRepository);
  await locales.prepare(before.type, {
    isLocalized: root?.is_localized === true,
    fieldFallback: root?.field_fallback === true,
  });
  await work.use(RowRepository).upsert('content_types', [typeRow(work, item)]);
  await work.use(RowRepository).upsert('fields', rows);
  const after = await types.find(String(root?.api_name), 'update');
  for (const field of after.fields) {
    const old = before.fields.find(({ id }) => id === field.id);
    if (old !== undefined) await followUnique(work, old, field);
  }
  await work.use(TitleRepository).follow(before, after);
  await locales.follow(before, after);
  types.note({ action: 'content_type.update', before, after });
}

/** Content types and fields of the plan, with the values that the target has for them. */
export async function applyContentTypes(
  work: UnitOfWork,
  plan: PromotionPlan,
  names: MergedNames,
): Promise<void> {
  const types = ofKind(plan, 'contentType');
  const catalog = await work.use(CatalogRepository).current();
  const rows = work.use(RowRepository);
  for (const item of types.filter(({ change }) => change === 'updated')) await updateType(work, item, names);
  for (const item of types.filter(({ change }) => change === 'created')) {
    const clash = contentTypeClash(catalog, String(item.merged.get(ROOT)?.api_name));
    if (clash !== undefined) throw new AppError('graphql_type_name_conflict', clash);
    await rows.upsert('content_types', [typeRow(work, item)]);
    await rows.upsert('fields', fieldRows(work, item, names));
    const after = await work
      .use(ContentTypeRepository)
      .find(String(item.merged.get(ROOT)?.api_name), 'update');
    work.use(ContentTypeRepository).note({ action: 'content_type.create', before: null, after });
  }
  await work.use(RewritingRepository).end();
}
