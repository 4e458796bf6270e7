import { AppError } from '../../../../contracts/errors.js';
import { ROOT, type Difference } from '../../../content/three-way.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { deleteContentType } from '../../content/content-types/index.js';
import { deleteCustomFieldType } from '../../content/custom-field-types/index.js';
import type { ApprovalOverride } from '../../entries/entries/index.js';
import { EntryTreeRepository, TreeEntryRepository } from '../../routing/tree/index.js';
import { deleteWorkflow, settleStates } from '../../content/workflows/index.js';
import { applyContentTypes, mergedNames } from './apply-content-types.js';
import { applyEntries, deletePlannedEntries, vacateSlugs } from './apply-entries.js';
import {
  applyStatuses,
  applyCustomFieldTypes,
  applyMedia,
  applyRedirects,
  applyWorkflows,
  mergedRow,
  ofKind,
} from './apply-rows.js';
import { idsIn } from './item-needs.js';
import { keyText, type ItemKey } from './item-kinds.js';
import { NodeRowRepository } from './node-row.repository.js';
import { PromotionCheckRepository } from './restored-content.repository.js';
import { PromotedBlockRepository } from './entry-row.repository.js';
import type { PromotionProgress } from './promotion-progress.js';
import type { PlannedItem, PromotionPlan } from './promotion-plan.js';
import { RowRepository } from './row.repository.js';
import type { Catalog } from '../../../content/catalog.js';
import {
  initialState,
  stateIn,
  stateOf,
  type WorkflowDefinition,
} from '../../../content/workflow/workflow-definition.js';
import { assertEditable, hasReservedStates, type StatedEntry } from '../../shared/editable.js';

type States = ReadonlyMap<string, StatedEntry>;

const isString = (value: unknown): value is string => typeof value === 'string';

/** Entries that the plan writes, deletes, publishes or moves in the tree. */
function entryIdsOf({ kind, id, merged, sides }: PlannedItem): string[] {
  if (kind === 'entry') return [id];
  if (kind !== 'treeNode') return [];
  return [merged, sides.target].map((parts) => parts.get(ROOT)?.entry_id).filter(isString);
}

/** Null is for shared values; undefined is the whole entry. */
function writtenIn({ change, taken }: PlannedItem): (string | null)[] | undefined {
  return change === 'deleted' ? undefined : taken.map(({ part }) => (part === ROOT ? null : part));
}

/** Moving a page changes all of its entry. */
function assertItemEditable(
  work: UnitOfWork,
  item: PlannedItem,
  { catalog, states }: { catalog: Catalog; states: States },
): void {
  if (item.kind === 'entry' && item.change !== 'deleted' && item.taken.length === 0) return;
  const locales = item.kind === 'entry' ? writtenIn(item) : undefined;
  const action = item.kind === 'entry' && item.change === 'deleted' ? 'delete' : 'update';
  for (const id of entryIdsOf(item)) {
    const entry = states.get(id);
    if (entry !== undefined) assertEditable(work, entry, { catalog, action, locales });
  }
}

/** The state of a locale once the content is written. */
function stateAfter(
  item: PlannedItem,
  locale: string,
  { workflow, known }: { workflow: WorkflowDefinition; known: StatedEntry | undefined },
): string {
  const isWritten = item.taken.some(({ part }) => !workflow.perLocale || part === ROOT || part === locale);
  const state = stateIn(workflow, known?.locales ?? [], locale);
  return isWritten && stateOf(workflow, state)?.allowsPublish === true ? initialState(workflow) : state;
}

function assertItemApproved(
  item: PlannedItem,
  { catalog, states, override }: { catalog: Catalog; states: States; override: ApprovalOverride },
): void {
  const { content_type_id: contentTypeId, site_id: siteId } = item.merged.get(ROOT) ?? {};
  if (!isString(contentTypeId) || !isString(siteId)) return;
  const workflow = catalog.workflowOf({ contentTypeId, siteId });
  if (catalog.contentTypeById(contentTypeId) === undefined || workflow?.enforcement !== 'strict') return;
  const known = item.change === 'created' ? undefined : states.get(item.id);
  for (const locale of item.statusChange.published) {
    const state = stateAfter(item, locale, { workflow, known });
    if (stateOf(workflow, state)?.allowsPublish === true) continue;
    const place = { id: item.id, contentTypeId, siteId };
    if (override.allows(place, { locale, workflow: workflow.slug, state })) continue;
    const allowed = workflow.states.filter(({ allowsPublish }) => allowsPublish).map(({ key }) => key);
    const reason = { workflow: workflow.slug, state, allowed };
    throw new AppError('workflow_not_approved', { entryId: item.id, locale, reason });
  }
}

const hasStrictWorkflow = ({ data }: Catalog): boolean =>
  data.workflows.some(({ enforcement }) => enforcement === 'strict');

/**
 * The workflows of the target, as they are before the promotion, decide who may change its entries and what is
 * published in it, unless the caller may override them (rule workflows/strict); a promotion that brings another workflow does not evade the present one.
 * @throws AppError 403 `permission_denied` with the state, 409 `workflow_not_approved`
 */
async function assertTargetWorkflows(
  work: UnitOfWork,
  plan: PromotionPlan,
  override: ApprovalOverride,
): Promise<void> {
  const catalog = await work.use(CatalogRepository).current();
  const isReserved = hasReservedStates(catalog);
  if (!isReserved && !hasStrictWorkflow(catalog)) return;
  const ids = [...new Set(plan.items.flatMap(entryIdsOf))];
  if (ids.length === 0) return;
  const found = await work.use(TreeEntryRepository).states(ids);
  const known = { catalog, override, states: new Map(found.map((entry) => [entry.id, entry])) };
  for (const item of plan.items) {
    if (isReserved) assertItemEditable(work, item, known);
    if (item.kind === 'entry') assertItemApproved(item, known);
  }
}

export interface ApplyOptions {
  readonly publish: boolean;
  readonly comment: string | undefined;
  readonly override: ApprovalOverride;
  /** Of a job. */
  readonly progress?: PromotionProgress | undefined;
}

function takenIds({ taken, sides }: PlannedItem): string[] {
  const idsOf = ({ part, key, source }: Difference): string[] =>
    part === ROOT && key === null ? [...idsIn([...sides.source.values()])] : [...idsIn(source)];
  return taken.flatMap(idsOf);
}

/** @throws AppError 409 `promotion_incomplete` */
async function assertComplete(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const needed = new Map<string, ItemKey>();
  for (const item of plan.items.filter(({ change }) => change !== 'deleted'))
    for (const id of takenIds(item)) needed.set(id, needed.get(id) ?? { kind: item.kind, id: item.id });
  const created = new Set(plan.items.filter(({ change }) => change === 'created').map(keyText));
  const ids = [...needed.keys()];
  const found =
    ids.length === 0 ? [] : await work.use(PromotionCheckRepository).missing(plan.pair.source.id, ids);
  const missing = found.filter((item) => !created.has(keyText(item)));
  if (missing.length === 0) return;
  const listed = missing.slice(0, 100).map((item) => ({ ...item, neededBy: needed.get(item.id) }));
  throw new AppError('promotion_incomplete', { missing: listed });
}

async function applySchema(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const catalogs = work.use(CatalogRepository);
  const before = await catalogs.current();
  await applyCustomFieldTypes(work, plan);
  await applyWorkflows(work, plan);
  await applyContentTypes(work, plan, mergedNames(plan));
  const { workflows, contentTypes } = (await catalogs.current()).data;
  if (ofKind(plan, 'workflow').length + ofKind(plan, 'contentType').length > 0)
    await settleStates(work, before, { workflows, contentTypes });
}

async function applyNodes(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const nodes = work.use(NodeRowRepository);
  const written = ofKind(plan, 'treeNode').map((item) => mergedRow(work, item));
  if (written.length === 0) return;
  await nodes.deferRanks();
  await work.use(RowRepository).upsert('tree_nodes', written);
  await nodes.settleRanks(written.map(({ id }) => String(id)));
  const entryIds = written.flatMap(({ entry_id: id, site_id: siteId }) =>
    typeof id === 'string' && typeof siteId === 'string' ? [id] : [],
  );
  await work.use(TreeEntryRepository).setInTree(entryIds, true);
}

async function removeNodes(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const removed = ofKind(plan, 'treeNode', true);
  await work.use(NodeRowRepository).remove(removed.map(({ id }) => id));
  const entryIds = removed.flatMap(({ sides }) => {
    const id = sides.target.get(ROOT)?.entry_id;
    return typeof id === 'string' ? [id] : [];
  });
  const kept = new Set(ofKind(plan, 'treeNode').map(({ merged }) => merged.get(ROOT)?.entry_id));
  await work.use(TreeEntryRepository).setInTree(
    entryIds.filter((id) => !kept.has(id)),
    false,
  );
}

/** Paths of everything that moved, and of entries whose slugs changed. */
async function settlePaths(work: UnitOfWork, plan: PromotionPlan, siteIds: readonly string[]): Promise<void> {
  const nodes = work.use(NodeRowRepository);
  const entryNodes = await nodes.ofEntries(ofKind(plan, 'entry').map(({ id }) => id));
  const ids = [...new Set([...entryNodes, ...ofKind(plan, 'treeNode').map(({ id }) => id)])];
  await work.use(EntryTreeRepository).settleNodes(ids, siteIds);
}

async function removeMedia(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const ids = ofKind(plan, 'media', true).map(({ id }) => id);
  await work.use(PromotionCheckRepository).assertUnused(ids);
  await work.use(RowRepository).remove('media_assets', ids);
  await work.use(RowRepository).remove(
    'media_folders',
    ofKind(plan, 'mediaFolder', true).map(({ id }) => id),
  );
}

async function removeSchema(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const projectSlug = work.scope.projectSlug ?? '';
  const rootOf = ({ sides }: PlannedItem) => sides.target.get(ROOT) ?? {};
  for (const item of ofKind(plan, 'contentType', true))
    await deleteContentType(work, { projectSlug, apiName: String(rootOf(item).api_name) });
  for (const item of ofKind(plan, 'customFieldType', true))
    await deleteCustomFieldType(work, { projectSlug, apiName: String(rootOf(item).api_name) });
  for (const item of ofKind(plan, 'workflow', true))
    await deleteWorkflow(work, { projectSlug, workflowSlug: String(rootOf(item).slug) });
}

/** Writes the plan into the environment of the unit of work, which holds the exclusive lock of the project. */
export async function applyPromotion(
  work: UnitOfWork,
  plan: PromotionPlan,
  { publish, comment, override, progress }: ApplyOptions,
): Promise<void> {
  await assertComplete(work, plan);
  const siteIds = await work.use(PromotionCheckRepository).siteIds();
  const trees = work.use(EntryTreeRepository);
  await trees.lockTrees([...siteIds, null]);
  await trees.deferPaths();
  await assertTargetWorkflows(work, plan, override);
  await applySchema(work, plan);
  await applyMedia(work, plan);
  const catalog = await work.use(CatalogRepository).current();
  const context = { catalog, names: mergedNames(plan), pair: plan.names };
  await vacateSlugs(work, plan);
  const moved = await applyEntries(work, plan, { context, comment: comment ?? null, progress });
  await applyNodes(work, plan);
  await deletePlannedEntries(work, catalog, plan);
  await work.use(PromotedBlockRepository).assertMoved(moved);
  await removeNodes(work, plan);
  await settlePaths(work, plan, siteIds);
  await removeMedia(work, plan);
  await removeSchema(work, plan);
  if (publish)
    await applyStatuses(work, await work.use(CatalogRepository).current(), { plan, comment, override });
  await trees.assertPathsFree();
  await applyRedirects(work, plan);
}
