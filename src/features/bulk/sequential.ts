import { AppError } from '../../../contracts/errors.js';
import { anyValue } from '../../access/grants.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import {
  authorizeChange,
  EntryRepository,
  makeDuplicate,
  presentEntry,
  shownLocale,
  type Refusal,
} from '../entries/index.js';
import { moveTreeNode, TreeEntryRepository } from '../tree/index.js';
import { brief, type BulkCall, type BulkWork, type Done } from './bulk-item.js';

/** Does something to one entry. */
type One = (work: UnitOfWork, call: BulkCall, id: string) => Promise<Done>;

/** Entry by entry, each undone alone where it is refused: what depends on what the ones before left. */
const oneByOne =
  (one: One): BulkWork =>
  async (work, call) => {
    const outcomes: (Done | Refusal)[] = [];
    for (const id of call.ids) {
      try {
        outcomes.push((await work.part((part) => one(part, call, id))).result);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ id, error });
      }
    }
    return outcomes;
  };

/** Copies each entry into a new draft. */
export const bulkDuplicate = oneByOne(async (work, { catalog, params }, id) => {
  const { siteId, treeParentId } = params;
  const options = { siteId, treeParentId, titleSuffix: ' (copy)', deep: false };
  const { copy } = await makeDuplicate(work, catalog, { id, ...options });
  const made = presentEntry(copy, shownLocale(copy, catalog), catalog);
  const item = { entryId: id, ok: true, version: made.version, newEntryId: made.id };
  return { item, before: null, after: { ...brief(made), copiedFrom: id } };
});

/** Moves the tree node of each entry, one behind the other where a position is given. */
export const bulkMove = oneByOne(async (work, { projectSlug, ids, params }, id) => {
  const entry = await work.use(EntryRepository).find(id);
  await authorizeChange(work, entry, { action: 'update', ...anyValue });
  const place = (await work.use(TreeEntryRepository).places([entry.id])).get(entry.id);
  if (place === undefined)
    throw new AppError('tree_node_not_found', undefined, 'The entry stands in no tree.');
  const { treeParentId: parentId = null, position } = params;
  const at = position === undefined ? {} : { position: position + ids.indexOf(id) };
  const move = { projectSlug, id: place.nodeId, parentId, ...at, createRedirects: true };
  const { data } = await moveTreeNode(work, move);
  const before = { id: entry.id, nodeId: place.nodeId, parentId: place.parentId };
  const after = { id: entry.id, nodeId: place.nodeId, parentId: data.parentId, position: data.position };
  return { item: { entryId: id, ok: true }, before, after };
});
