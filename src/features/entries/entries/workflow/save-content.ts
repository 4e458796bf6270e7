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
import { EntryRepository, type ContentChange, type SavedEntry } from '../entry.repository.js';
import { localeOf, valuesOf, type StoredEntry, localizedOf } from '../stored-entry.js';
import { EntryStateRepository, type StateChange } from './entry-state.repository.js';
import { workflowEvent } from './workflow-places.js';
import { hasAnchoredText } from '../../../../content/anchors/anchored-text.js';
import { mapRanges } from '../../../../content/anchors/map-ranges.js';
import { composeValues } from '../../../../content/blocks/stored-values.js';
import { valueParts } from '../../../../content/blocks/value-parts.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { AnchoredValues, StoredAnchor } from '../anchored-values.js';
import { AnchorRepository, type MovedAnchor } from '../anchors/anchor.repository.js';

interface Change {
  readonly catalog: Catalog;
  readonly after: StoredEntry;
  readonly anchored: AnchoredValues;
}

/** A value before and after, undefined where it has not changed for sure. */
type ValueChange = { readonly was: unknown; readonly is: unknown } | 'removed' | undefined;

function changeOfField(
  { catalog, after, anchored: { shared, locales } }: Change,
  { fieldId, locale }: StoredAnchor,
): ValueChange {
  const fields = catalog.contentTypeById(after.contentTypeId)?.fields ?? [];
  const field = fields.find(({ id }) => id === fieldId);
  if (field === undefined || !hasAnchoredText(field)) return undefined;
  const { apiName, localized } = field;
  const before = localized ? locales?.[locale] : shared;
  // Locales that were not written keep their text.
  if (before === undefined) return undefined;
  return { was: before[apiName], is: (localized ? localizedOf(after, locale) : after.sharedFields)[apiName] };
}

/** Of a locale that was not written, blocks in shared lists and their shared values are known. */
function changeInBlock(
  { catalog, after, anchored: { shared, locales } }: Change,
  { fieldId, blockId, locale }: StoredAnchor,
): ValueChange {
  const type = catalog.contentTypeById(after.contentTypeId);
  if (type === undefined) return undefined;
  const written = locales?.[locale];
  const partIn = (values: FieldValues) =>
    valueParts(catalog, type, values).find(({ block }) => block?._ref === blockId);
  const was = partIn(composeValues(shared, written ?? {}));
  if (was === undefined) return undefined;
  const is = partIn(
    composeValues(after.sharedFields, written === undefined ? {} : localizedOf(after, locale)),
  );
  if (is === undefined) return 'removed';
  const field = is.type.fields.find(({ id }) => id === fieldId);
  if (field === undefined || !hasAnchoredText(field)) return undefined;
  return { was: was.values[field.apiName], is: is.values[field.apiName] };
}

/** Anchors of one value move together. */
function movedAnchors(change: Change): MovedAnchor[] {
  const byValue = Map.groupBy(
    change.anchored.anchors,
    ({ fieldId, blockId, locale }) => `${fieldId} ${blockId ?? ''} ${locale}`,
  );
  return [...byValue.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const found = first.blockId === null ? changeOfField(change, first) : changeInBlock(change, first);
    if (found === undefined) return [];
    if (found === 'removed') return group.map(({ id }) => ({ id, range: null }));
    const { was, is } = found;
    if (isEqualJson(was, is)) return [];
    return mapRanges(was, is, group).map((range, index) => ({ id: group[index]?.id ?? '', range }));
  });
}

/** Anchors follow the text that was written (rule entries/comments). */
function moveAnchors(
  work: UnitOfWork,
  catalog: Catalog,
  { after, anchored }: { after: StoredEntry; anchored: AnchoredValues | null },
): void {
  if (anchored === null) return;
  work.use(AnchorRepository).move(movedAnchors({ catalog, after, anchored }));
}

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
