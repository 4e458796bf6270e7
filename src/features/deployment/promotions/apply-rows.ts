import { ROOT, type Properties } from '../../../content/three-way.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { ItemKind } from './item-kinds.js';
import type { ItemRow } from './item.repository.js';
import type { PlannedItem, PromotionPlan } from './promotion-plan.js';
import { RowRepository, type RowTable } from './row.repository.js';
import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import {
  isAdmitted,
  isRefusal,
  noteAlong,
  noteUnpublishedAlong,
  publishLocales,
  unpublishLocales,
  type ApprovalOverride,
  type Outcome,
} from '../../entries/entries/index.js';

/** Items whose content changes. */
export const ofKind = (plan: PromotionPlan, kind: ItemKind, isDeleted = false): PlannedItem[] =>
  plan.items.filter(
    (item) => item.kind === kind && item.taken.length > 0 && (item.change === 'deleted') === isDeleted,
  );

const rowAt = (stored: PlannedItem['stored']['source'], part: string): ItemRow | undefined =>
  stored.find((one) => one.part === part)?.row;

/** The row of the target with the merged values; a new one has the other columns of the source. */
export function mergedRow(
  work: UnitOfWork,
  { stored, merged }: PlannedItem,
  { part = ROOT, values = merged.get(part) ?? {} }: { part?: string; values?: Properties } = {},
): ItemRow {
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

function assetRow(work: UnitOfWork, item: PlannedItem): ItemRow {
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

interface Target {
  readonly id: string;
  readonly locale: string;
}

/** Locales written by one statement. */
const BATCH = 500;

const targetsOf = (plan: PromotionPlan, localesOf: (item: PlannedItem) => readonly string[]): Target[] =>
  plan.items.flatMap((item) => localesOf(item).map((locale) => ({ id: item.id, locale })));

/** @throws AppError of the first refusal, with its entry */
function assertAdmitted(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(isRefusal);
  const [first] = refused;
  if (first === undefined) return;
  const { code, details } = first.error;
  throw new AppError(code, { entryId: first.id, refused: refused.length, reason: details });
}

/** In batches of one locale. */
async function inBatches(targets: readonly Target[], run: (some: Target[]) => Promise<void>): Promise<void> {
  for (const [, some] of Map.groupBy(targets, ({ locale }) => locale))
    for (let start = 0; start < some.length; start += BATCH) await run(some.slice(start, start + BATCH));
}

/** Publishes and unpublishes what the source did, once the content is written. */
export async function applyStatuses(
  work: UnitOfWork,
  catalog: Catalog,
  {
    plan,
    comment,
    override,
  }: { plan: PromotionPlan; comment: string | undefined; override: ApprovalOverride },
): Promise<void> {
  const published = targetsOf(plan, ({ statusChange }) => statusChange.published);
  await inBatches(published, async (targets) => {
    const { outcomes, along } = await publishLocales(work, catalog, { targets, comment, override });
    assertAdmitted(outcomes);
    const changed = outcomes.filter(isAdmitted).filter(({ isChanged }) => isChanged);
    noteAlong(work, catalog, [...changed, ...along]);
  });
  const unpublished = targetsOf(plan, ({ statusChange }) => statusChange.unpublished);
  await inBatches(unpublished, async (targets) => {
    const outcomes = await unpublishLocales(work, catalog, { targets, comment });
    assertAdmitted(outcomes);
    const changed = outcomes.filter(isAdmitted).filter(({ isChanged }) => isChanged);
    noteUnpublishedAlong(work, catalog, changed);
  });
}
