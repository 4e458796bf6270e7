import { AppError } from '../../../../../contracts/errors.js';
import type { Warning } from '../../../../../contracts/envelopes.js';
import type { BatchItem } from '../../../../../contracts/entries/entries/batch.js';
import type { Catalog } from '../../../../content/catalog.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { Snapshot, UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { ExternalLinks } from '../drafts/external-links.js';
import type { RichTextConverter } from '../drafts/rich-text-input.js';
import { brief, presentState, shownLocale } from '../entry.presenter.js';
import { importHistory } from '../history/import-history.js';
import type { StoredEntry } from '../stored-entry.js';
import { createEntry } from '../edits/create-entry.js';
import { updateEntry } from '../edits/update-entry.js';
import { authorizeFacts, entryTarget, hasFacts, sourceTime } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import { publishNow, unpublishEntry } from '../publication/publish-entry.js';

export type DraftItem = Extract<BatchItem, { action: 'create' | 'update' | 'upsert' }>;
export type LiveItem = Extract<BatchItem, { action: 'publish' | 'unpublish' }>;
export type HistoryItem = Extract<BatchItem, { action: 'history' }>;
export type NewItem = Extract<BatchItem, { action: 'create' | 'upsert' }>;

/** An item whose entry is known. */
export interface Placed<I extends BatchItem = BatchItem> {
  readonly index: number;
  readonly item: I;
  /** Null: the item creates it. */
  readonly entryId: string | null;
  /** Of the entry that the item creates. Ids ascend in the order of the items, however these are applied. */
  readonly newId: string;
}

export interface BatchContext {
  readonly catalog: Catalog;
  readonly projectSlug: string;
  readonly converter: RichTextConverter;
  /** Undefined where no item links by external ids. */
  readonly links: ExternalLinks | undefined;
}

/** The id of the entry that an item creates, which other items may link. */
export function idOfNew(
  { catalog, links }: BatchContext,
  { item, newId }: Pick<Placed<NewItem>, 'item' | 'newId'>,
): string {
  const { contentTypeApiName, externalId } = item;
  const contentTypeId = catalog.contentType(contentTypeApiName)?.id;
  if (links === undefined || contentTypeId === undefined || externalId === undefined) return newId;
  return links.idOfNew({ contentTypeId, externalId }) ?? newId;
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

/** When the source published it; undefined for now. */
export const publishedAtOf = (item: DraftItem): Date | undefined =>
  item.action === 'update' || item.publishedAt === undefined
    ? undefined
    : new Date(sourceTime(item.publishedAt));

export const isDraftItem = (placed: Placed): placed is Placed<DraftItem> =>
  placed.item.action === 'create' || placed.item.action === 'update' || placed.item.action === 'upsert';

export const isHistoryItem = (placed: Placed): placed is Placed<HistoryItem> =>
  placed.item.action === 'history';

interface Written {
  readonly id: string;
  readonly locale: string;
  readonly warnings: readonly Warning[];
}

/** What creates the entry of an item; an upsert has more, which is of the existing one. */
const newEntryInput = (item: Exclude<DraftItem, { readonly action: 'update' }>) => ({
  treeParentId: item.treeParentId,
  siteId: item.siteId,
  contentTypeApiName: item.contentTypeApiName,
  fields: item.fields,
  slug: item.slug,
  locale: item.locale,
  externalId: item.externalId,
  createdAt: item.createdAt,
  updatedAt: item.updatedAt,
  publishedAt: item.publishedAt,
  createdByName: item.createdByName,
});

async function writeDraft(
  work: UnitOfWork,
  context: BatchContext,
  { index, item, entryId, newId }: Placed<DraftItem>,
): Promise<Written> {
  const { projectSlug, converter } = context;
  const links = { index, all: context.links };
  const { action: _action, publish: _publish, ...input } = item;
  if (entryId === null) {
    if (item.action === 'update') throw new AppError('entry_not_found');
    const id = idOfNew(context, { item, newId });
    const { data, meta } = await createEntry(
      work,
      { ...newEntryInput(item), projectSlug, id, links },
      converter,
    );
    return { id: data.id, locale: data.locale, warnings: meta?.warnings ?? [] };
  }
  const { fields, slug, locale, treeParentId, comment } = { comment: undefined, ...input };
  const before = await work.use(EntryRepository).lock(entryId, noValues);
  assertSameSite(item, before);
  if (item.action === 'upsert') authorizeFacts(work, await entryTarget(work, 'update', before), item);
  const { version: current } = before;
  const version = item.action === 'update' ? (item.version ?? current) : current;
  const assigneeId = item.action === 'update' ? item.assigneeId : undefined;
  const isImport = item.action === 'upsert' && hasFacts(item);
  const change = {
    projectSlug,
    id: entryId,
    version,
    locale,
    slug,
    fields,
    comment,
    assigneeId,
    links,
    isImport,
  };
  // An upsert without a place leaves the entry where it is.
  const place = item.action === 'update' || typeof treeParentId === 'string' ? { treeParentId } : {};
  const { data, meta } = await updateEntry(work, { ...change, ...place }, converter);
  return { id: entryId, locale: data.locale, warnings: meta?.warnings ?? [] };
}

async function write(work: UnitOfWork, context: BatchContext, placed: Placed): Promise<Written> {
  const { projectSlug, catalog } = context;
  const { index, item, entryId, newId } = placed;
  if (item.action === 'history') {
    const entry = await importHistory(work, catalog, { ...item, id: entryId ?? '' });
    return { id: entry.id, locale: shownLocale(entry, catalog), warnings: [] };
  }
  if (item.action === 'publish' || item.action === 'unpublish') {
    const target = { id: entryId ?? '', locale: item.locale, version: item.version };
    if (item.action === 'publish') {
      const { withDependencies, comment } = item;
      const data = await publishNow(work, { ...target, withDependencies, comment });
      return { id: data.id, locale: data.locale, warnings: [] };
    }
    const { data } = await unpublishEntry(work, { projectSlug, dryRun: false, ...target });
    if ('jobId' in data) throw new Error('unpublished later');
    return { id: data.id, locale: data.locale, warnings: [] };
  }
  const written = await writeDraft(work, context, { index, item, entryId, newId });
  if (item.publish)
    await publishNow(work, { ...written, publishedAt: publishedAtOf(item), withDependencies: false });
  return written;
}

/** As a single call; what fails is undone alone. */
export async function applySingle(
  work: UnitOfWork,
  context: BatchContext,
  placed: Placed,
): Promise<ItemOutcome> {
  const { catalog } = context;
  const { index, entryId } = placed;
  try {
    return await work.part(async (part) => {
      const entries = part.use(EntryRepository);
      const before = entryId === null ? null : await entries.lock(entryId, noValues);
      const { id, locale, warnings } = await write(part, context, placed);
      const entry = await entries.find(id, noValues);
      return { index, entry, locale, ...changeOf(catalog, { before, after: entry, locale }), warnings };
    });
  } catch (error) {
    if (error instanceof AppError) return { index, error };
    throw error;
  }
}
