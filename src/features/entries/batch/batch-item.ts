import { AppError } from '../../../../contracts/errors.js';
import type { Warning } from '../../../../contracts/envelopes.js';
import type { BatchItem } from '../../../../contracts/resources/batch.js';
import type { Catalog } from '../../../content/catalog.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import type { RichTextConverter } from '../drafts/rich-text-input.js';
import { brief, presentState } from '../entry.presenter.js';
import type { StoredEntry } from '../stored-entry.js';

export type DraftItem = Extract<BatchItem, { action: 'create' | 'update' | 'upsert' }>;
export type LiveItem = Extract<BatchItem, { action: 'publish' | 'unpublish' }>;
export type NewItem = Extract<BatchItem, { action: 'create' | 'upsert' }>;

/** An item whose entry is known. */
export interface Placed<I extends BatchItem = BatchItem> {
  readonly index: number;
  readonly item: I;
  /** Null: the item creates it. */
  readonly entryId: string | null;
}

export interface BatchContext {
  readonly catalog: Catalog;
  readonly projectSlug: string;
  readonly converter: RichTextConverter;
}

export interface Applied {
  readonly index: number;
  readonly entry: StoredEntry;
  readonly locale: string;
  readonly isCreated: boolean;
  /** For the record of the batch; null where nothing changed, and before a creation. */
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  readonly warnings: readonly Warning[];
}

export interface Refused {
  readonly index: number;
  readonly error: AppError;
}

export type ItemOutcome = Applied | Refused;

/** What the record of the batch says of one entry; null on both sides if nothing changed. */
export function changeOf(
  catalog: Catalog,
  { before, after, locale }: { before: StoredEntry | null; after: StoredEntry; locale: string },
): Pick<Applied, 'isCreated' | 'before' | 'after'> {
  const is = presentState(after, locale, catalog);
  if (before === null) return { isCreated: true, before: null, after: brief(is) };
  const was = presentState(before, locale, catalog);
  if (isEqualJson(was, is)) return { isCreated: false, before: null, after: null };
  return { isCreated: false, before: brief(was), after: brief(is) };
}

export const isRefused = (outcome: object): outcome is Refused => 'error' in outcome;

export const isAccepted = <T extends object>(outcome: T | Refused): outcome is T => !isRefused(outcome);

/**
 * An upsert names the site of the entry that it finds.
 * @throws AppError 409 `external_id_conflict`
 */
export function assertSameSite(item: DraftItem, { siteId }: StoredEntry): void {
  if (item.action === 'update' || item.siteId.toLowerCase() === siteId) return;
  const message = 'An entry of another site has this external id.';
  throw new AppError('external_id_conflict', { externalId: item.externalId }, message);
}

export const isDraftItem = (placed: Placed): placed is Placed<DraftItem> =>
  placed.item.action !== 'publish' && placed.item.action !== 'unpublish';
