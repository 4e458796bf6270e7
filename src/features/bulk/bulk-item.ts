import type { Entry } from '../../../contracts/resources/entry.js';
import type { AppError } from '../../../contracts/errors.js';
import type { BulkItem, BulkParams } from '../../../contracts/resources/bulk.js';
import type { Catalog } from '../../content/catalog.js';
import type { Snapshot, UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { Refusal } from '../entries/index.js';

/** What one action is done to. */
export interface BulkCall {
  readonly catalog: Catalog;
  readonly projectSlug: string;
  /** Different ids in the order given. */
  readonly ids: readonly string[];
  readonly params: BulkParams;
}

/** An entry that an action went through for, with what the audit record shows of it; nulls where nothing changed. */
export interface Done {
  readonly item: BulkItem;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
}

/** One action over many entries; outcomes stand in the order of the ids. */
export type BulkWork = (work: UnitOfWork, call: BulkCall) => Promise<(Done | Refusal)[]>;

/** What the audit record keeps of each of many entries: enough to know what it was, without its content. */
export function brief(entry: Entry): Snapshot {
  const { id, contentTypeApiName, siteId, locale, slug, version, status, deletedAt } = entry;
  return { id, contentTypeApiName, siteId, locale, slug, version, status, deletedAt };
}

/** The outcome of an entry that was left as it is. */
export function refusedItem(entryId: string, { code, message, details }: AppError): BulkItem {
  return { entryId, ok: false, error: code, message, ...(details !== undefined && { details }) };
}
