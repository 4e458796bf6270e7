import type { AppError } from '../../../../contracts/errors.js';
import type { BulkItem, BulkParams } from '../../../../contracts/entries/bulk/bulk.js';
import type { Catalog } from '../../../content/catalog.js';
import type { Snapshot, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Refusal } from '../entries/index.js';

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
