import { isSharedPath } from '../../../../content/blocks/changed-paths.js';
import type { Catalog } from '../../../../content/catalog.js';
import {
  initialState,
  stateIn,
  stateOf,
  storedState,
  type WorkflowDefinition,
} from '../../../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { presentState, shownLocale } from '../entry.presenter.js';
import { moveAnchors } from '../anchors/move-anchors.js';
import { EntryRepository, type ContentChange, type SavedEntry } from '../entry.repository.js';
import { localeOf, valuesOf, type StoredEntry } from '../stored-entry.js';
import { EntryStateRepository, type StateChange } from './entry-state.repository.js';
import { workflowEvent } from './workflow-places.js';

/** The whole entry, in the place of a locale. */
const WHOLE = '';

/** New locales start in the initial state, or in the one that the entry has in all its locales. */
function withStates(workflow: WorkflowDefinition | undefined, entry: StoredEntry): StoredEntry {
  if (entry.locales.every(({ workflowState }) => workflowState !== undefined)) return entry;
  const known =
    workflow?.perLocale === true ? undefined : entry.locales.find((one) => one.workflowState !== undefined);
  const { assigneeId = null, dueAt = null } = known ?? {};
  const initial = workflow === undefined ? null : storedState(workflow, initialState(workflow));
  const workflowState = known?.workflowState ?? (known === undefined ? initial : null);
  const started = { workflowState, assigneeId, dueAt };
  const locales = entry.locales.map((state) =>
    state.workflowState === undefined ? { ...state, ...started } : state,
  );
  return { ...entry, locales };
}

/** What decides which states a change leaves; `entry` has the states from before it. */
type Changed = Pick<ContentChange, 'entry' | 'locales' | 'changedFields'>;

function changesShared(catalog: Catalog, { entry, locales, changedFields }: Changed): boolean {
  const type = catalog.contentTypeById(entry.contentTypeId);
  if (type === undefined) return false;
  const [written = ''] = locales;
  // Writers of rows name whole fields, and read no values.
  const isRead = localeOf(entry, written)?.fields !== null;
  const values = isRead ? valuesOf(entry, written) : entry.sharedFields;
  return changedFields.some((path) => path !== '_slug' && isSharedPath(catalog, { type, values }, path));
}

/** Approved content that changes returns to the initial state (rule workflows/changed-content). */
function returns(catalog: Catalog, workflow: WorkflowDefinition, change: Changed): StateChange[] {
  const { entry, changedFields } = change;
  const to = initialState(workflow);
  if (changedFields.length === 0 || stateOf(workflow, to)?.allowsPublish === true) return [];
  const isWhole = workflow.perLocale && changesShared(catalog, change);
  const written = workflow.perLocale
    ? isWhole
      ? entry.locales.map(({ locale }) => locale)
      : change.locales
    : [WHOLE];
  return written.flatMap((locale) => {
    const from = stateIn(workflow, entry.locales, locale);
    if (stateOf(workflow, from)?.allowsPublish !== true) return [];
    const stored = storedState(workflow, to);
    return [{ entryId: entry.id, locale, from, to, stored, comment: null, approvals: [] }];
  });
}

const returned = (entry: StoredEntry, changes: readonly StateChange[]): StoredEntry => ({
  ...entry,
  locales: entry.locales.map((state) => {
    const change = changes.find(({ locale }) => locale === WHOLE || locale === state.locale);
    return change === undefined ? state : { ...state, workflowState: change.stored };
  }),
});

/** A change of content with what it means for the entry's workflow. */
export interface PreparedContent {
  readonly change: ContentChange;
  readonly returning: readonly StateChange[];
}

export function prepareContent(catalog: Catalog, change: ContentChange): PreparedContent {
  const workflow = catalog.workflowOf(change.entry);
  const returning = workflow === undefined ? [] : returns(catalog, workflow, change);
  return { change: { ...change, entry: withStates(workflow, change.entry) }, returning };
}

/** After its content was written. The caller enters the states. */
export function settleContent(
  work: UnitOfWork,
  catalog: Catalog,
  { saved, returning }: { saved: SavedEntry; returning: readonly StateChange[] },
): StoredEntry {
  const { entry, anchored } = saved;
  moveAnchors(work, catalog, { after: entry, anchored });
  if (returning.length === 0) return entry;
  const after = returned(entry, returning);
  emitReturned(work, catalog, { after, returning });
  return after;
}

/** For writers that do not save through {@link saveContent}: the states that must be entered once the content is written. */
export function returningStates(catalog: Catalog, change: Changed): StateChange[] {
  const workflow = catalog.workflowOf(change.entry);
  return workflow === undefined ? [] : returns(catalog, workflow, change);
}

export function emitReturned(
  work: UnitOfWork,
  catalog: Catalog,
  { after, returning }: { after: StoredEntry; returning: readonly StateChange[] },
): void {
  for (const { locale, from, to } of returning) {
    const shown = locale === WHOLE ? shownLocale(after, catalog) : locale;
    work.emit(workflowEvent(presentState(after, shown, catalog), { from, to, comment: null }));
  }
}

/** Writes changed content of an existing entry. */
export async function saveContent(
  work: UnitOfWork,
  catalog: Catalog,
  given: ContentChange,
): Promise<StoredEntry> {
  const { change, returning } = prepareContent(catalog, given);
  const saved = await work.use(EntryRepository).save(change);
  await work.use(EntryStateRepository).enter(returning);
  return settleContent(work, catalog, { saved, returning });
}

/** A new entry in the initial state of its workflow. */
export const inInitialState = (catalog: Catalog, entry: StoredEntry): StoredEntry =>
  withStates(catalog.workflowOf(entry), entry);
