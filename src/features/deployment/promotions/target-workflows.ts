import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import { ROOT } from '../../../content/three-way.js';
import {
  initialState,
  stateIn,
  stateOf,
  type WorkflowDefinition,
} from '../../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import type { ApprovalOverride } from '../../entries/entries/index.js';
import { assertEditable, hasReservedStates, type StatedEntry } from '../../shared/editable.js';
import { TreeEntryRepository } from '../../routing/tree/index.js';
import type { PlannedItem, PromotionPlan } from './promotion-plan.js';

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
export async function assertTargetWorkflows(
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
