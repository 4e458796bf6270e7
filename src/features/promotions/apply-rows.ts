import { ROOT, type Properties } from '../../content/three-way.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { ItemKind } from './item-kinds.js';
import type { Row } from './item.repository.js';
import type { PlannedItem, PromotionPlan } from './promotion-plan.js';
import { RowRepository, type RowTable } from './row.repository.js';

/** Items whose content changes. */
export const ofKind = (plan: PromotionPlan, kind: ItemKind, isDeleted = false): PlannedItem[] =>
  plan.items.filter(
    (item) => item.kind === kind && item.taken.length > 0 && (item.change === 'deleted') === isDeleted,
  );

const rowAt = (stored: PlannedItem['stored']['source'], part: string): Row | undefined =>
  stored.find((one) => one.part === part)?.row;

/** The row of the target with the merged values; a new one has the other columns of the source. */
export function mergedRow(
  work: UnitOfWork,
  { stored, merged }: PlannedItem,
  { part = ROOT, values = merged.get(part) ?? {} }: { part?: string; values?: Properties } = {},
): Row {
  const known = rowAt(stored.target, part);
  const version = Number(known?.version ?? 0) + 1;
  const changed = { version, updated_at: work.now, updated_by: work.scope.actor };
  const created = known === undefined && { created_at: work.now, created_by: work.scope.actor };
  return { ...(known ?? rowAt(stored.source, part)), ...values, ...changed, ...created };
}

async function applyKind(
  work: UnitOfWork,
  plan: PromotionPlan,
  [kind, table]: [ItemKind, RowTable],
): Promise<void> {
  const rows = ofKind(plan, kind).map((item) => mergedRow(work, item));
  await work.use(RowRepository).upsert(table, rows);
}

export async function applyCustomFieldTypes(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  await applyKind(work, plan, ['customFieldType', 'custom_field_types']);
}

export async function applyWorkflows(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const rows = ofKind(plan, 'workflow').map((item) => mergedRow(work, item));
  const rowsOf = work.use(RowRepository);
  if (rows.some(({ is_default: isDefault }) => isDefault === true)) await rowsOf.releaseDefaultWorkflow();
  await rowsOf.upsert('workflows', rows);
}

const fileColumns = [
  ...['checksum', 'source_checksum', 'mime_type', 'size', 'width', 'height', 'has_alpha', 'frames', 'pages'],
  ...['duration_seconds', 'codec', 'placeholder', 'dominant_color', 'metadata', 'scan_status'],
];

const takesFile = ({ taken }: PlannedItem): boolean =>
  taken.some(({ part, key }) => part === ROOT && (key === null || key === 'storage_key'));

function assetRow(work: UnitOfWork, item: PlannedItem): Row {
  const row = mergedRow(work, item);
  const source = rowAt(item.stored.source, ROOT);
  const file = fileColumns.map((column) => [column, source?.[column]] as const);
  return takesFile(item) ? { ...row, ...Object.fromEntries(file) } : row;
}

export async function applyMedia(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const rows = work.use(RowRepository);
  await applyKind(work, plan, ['mediaFolder', 'media_folders']);
  const assets = ofKind(plan, 'media');
  await rows.upsert(
    'media_assets',
    assets.map((item) => assetRow(work, item)),
  );
  await rows.addMediaVersions(
    plan.pair.source.id,
    assets.filter(takesFile).map(({ id }) => id),
  );
  await rows.upsert(
    'media_asset_locales',
    assets.flatMap((item) =>
      [...item.merged.keys()].filter((part) => part !== ROOT).map((part) => mergedRow(work, item, { part })),
    ),
  );
  await rows.removeOverlays(
    assets.flatMap(({ id, sides, merged }) =>
      [...sides.target.keys()].filter((part) => !merged.has(part)).map((locale) => ({ id, locale })),
    ),
  );
}

export async function applyRedirects(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const rows = work.use(RowRepository);
  await rows.remove(
    'redirects',
    ofKind(plan, 'redirect', true).map(({ id }) => id),
  );
  const written = ofKind(plan, 'redirect').map((item) => mergedRow(work, item));
  if (written.length > 0) {
    await rows.vacateSources(written);
    await rows.releaseSources(written);
  }
  await rows.upsert('redirects', written);
}
