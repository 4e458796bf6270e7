import { AppError } from '../../../../contracts/errors.js';
import type { BulkItem, BulkParams } from '../../../../contracts/entries/bulk/bulk.js';
import type { Catalog } from '../../../content/catalog.js';
import type { Snapshot, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { anyValue } from '../../../access/grants.js';
import { moveTreeNode, TreeEntryRepository } from '../../routing/tree/index.js';
import {
  authorizeChange,
  brief,
  EntryRepository,
  makeDuplicate,
  noValues,
  presentEntry,
  shownLocale,
  type Refusal,
} from '../entries/index.js';

export interface BulkCall {
  readonly catalog: Catalog;
  readonly projectSlug: string;
  /** Distinct, in the order of the request. */
  readonly ids: readonly string[];
  readonly params: BulkParams;
}

/** A successful outcome with its snapshots for the audit record; null when nothing changed. */
export interface Done {
  readonly item: BulkItem;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
}

/** Outcomes are in the order of the ids. */
export type BulkWork = (work: UnitOfWork, call: BulkCall) => Promise<(Done | Refusal)[]>;

export function refusedItem(entryId: string, { code, message, details }: AppError): BulkItem {
  return { entryId, ok: false, error: code, message, ...(details !== undefined && { details }) };
}

type SingleAction = (work: UnitOfWork, call: BulkCall, id: string) => Promise<Done>;

/** Runs entry by entry; a refused entry is rolled back alone. For actions that depend on earlier results. */
const sequential =
  (action: SingleAction): BulkWork =>
  async (work, call) => {
    const outcomes: (Done | Refusal)[] = [];
    for (const id of call.ids) {
      try {
        outcomes.push(await work.part((part) => action(part, call, id)));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ id, error });
      }
    }
    return outcomes;
  };

export const bulkDuplicate = sequential(async (work, { catalog, params }, id) => {
  const { siteId, treeParentId } = params;
  const options = { siteId, treeParentId, titleSuffix: ' (copy)', deep: false };
  const { copy } = await makeDuplicate(work, catalog, { id, ...options });
  const locale = shownLocale(copy, catalog);
  const made = presentEntry(copy, locale, catalog);
  const item = { entryId: id, ok: true, version: made.version, newEntryId: made.id };
  const after = { ...brief(made), copiedFrom: id };
  work.use(EntryRepository).note({ action: 'entry.duplicate', entry: copy, locale, before: null, after });
  return { item, before: null, after };
});

/** With a position, entries become consecutive siblings. */
export const bulkMove = sequential(async (work, { catalog, projectSlug, ids, params }, id) => {
  const entry = await work.use(EntryRepository).find(id, noValues);
  await authorizeChange(work, entry, { catalog, action: 'update', ...anyValue });
  const place = (await work.use(TreeEntryRepository).places([entry.id])).get(entry.id);
  if (place === undefined)
    throw new AppError('tree_node_not_found', undefined, 'The entry is not in a tree.');
  const { treeParentId: parentId = null, position } = params;
  const at = position === undefined ? {} : { position: position + ids.indexOf(id) };
  const move = { projectSlug, id: place.nodeId, parentId, ...at, createRedirects: true };
  const { data } = await moveTreeNode(work, move);
  const before = { id: entry.id, nodeId: place.nodeId, parentId: place.parentId };
  const after = { id: entry.id, nodeId: place.nodeId, parentId: data.parentId, position: data.position };
  return { item: { entryId: id, ok: true, version: entry.version }, before, after };
});
