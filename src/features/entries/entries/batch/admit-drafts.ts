import { AppError } from '../../../../../contracts/errors.js';
import { anyValue } from '../../../../access/grants.js';
import type { ContentTypeDefinition } from '../../../../content/catalog.js';
import { normalizeSlug } from '../../../../content/slug-field.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { localeToWrite } from '../access/entry-locale.js';
import {
  authorizeEntry,
  authorizeFacts,
  entryPaths,
  entryTargetAt,
  type EntryPaths,
} from '../access/entry-rights.js';
import { readInput, type ReadFields } from '../blocks/read-input.js';
import { typeOf } from '../drafts/draft-state.js';
import { assertSlugPattern } from '../drafts/entry-slug.js';
import { withDefaults } from '../drafts/new-entry.js';
import { resolveContext } from '../edits/create-entry.js';
import { assertMergeable } from '../edits/update-entry.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesOfTargets } from '../anchored-values.js';
import { valuesOf, type StoredEntry } from '../stored-entry.js';
import {
  assertSameSite,
  idOfNew,
  type BatchContext,
  type DraftItem,
  type NewItem,
  type Placed,
  type Refused,
} from './apply-single.js';
import { TargetRepository } from './target.repository.js';

/** A draft that the caller may write, with values of the right shape. */
export interface AdmittedDraft {
  readonly index: number;
  readonly item: DraftItem;
  readonly id: string;
  readonly before: StoredEntry | null;
  readonly type: ContentTypeDefinition;
  readonly siteId: string;
  readonly locale: string;
  readonly read: ReadFields;
}

/** For items that need more than values and a slug: a place, a single-entry type. */
export const ALONE = 'alone';
export type Admission = AdmittedDraft | Refused | typeof ALONE;

async function admitNew(
  work: UnitOfWork,
  context: BatchContext,
  { index, item, newId }: Pick<Placed<NewItem>, 'index' | 'item' | 'newId'>,
): Promise<Admission> {
  const { catalog, projectSlug, converter, links: all } = context;
  const { type, site, locale, treePlace } = await resolveContext(work, catalog, { projectSlug, ...item });
  if (treePlace !== null || type.isSingleton) return ALONE;
  const id = idOfNew(context, { item, newId });
  const fields = withDefaults(type, item.fields);
  const links = { index, all };
  const read = await readInput(work, { catalog, type, fields, known: {}, links }, converter);
  return { index, item, id, before: null, type, siteId: site.id, locale, read };
}

async function admitChange(
  work: UnitOfWork,
  context: BatchContext,
  { index, item, before, paths }: Placed<DraftItem> & { before: StoredEntry; paths: EntryPaths },
): Promise<Admission> {
  const { catalog, converter, links: all } = context;
  authorizeEntry(work, before, { catalog, action: 'update', ...anyValue, paths });
  assertSameSite(item, before);
  if (item.action === 'upsert') authorizeFacts(work, entryTargetAt(work, before, paths), item);
  const type = typeOf(catalog, before);
  const locale = localeToWrite(catalog, before, item.locale);
  assertSlugPattern(type, item.slug);
  const { fields = {}, slug } = item;
  if (item.action === 'update' && item.version !== undefined && item.version !== before.version)
    await assertMergeable(work, before, { version: item.version, locale, fields, slug });
  const given = { catalog, type, fields, known: valuesOf(before, locale), links: { index, all } };
  const read = await readInput(work, given, converter);
  return { index, item, id: before.id, before, type, siteId: before.siteId, locale, read };
}

/** Whether the item says more than values and a slug. */
const isMore = (item: DraftItem): boolean =>
  item.action === 'update'
    ? item.treeParentId !== undefined || item.assigneeId !== undefined
    : typeof item.treeParentId === 'string';

async function admit(
  work: UnitOfWork,
  context: BatchContext,
  placed: Placed<DraftItem> & { locked: ReadonlyMap<string, StoredEntry>; paths: EntryPaths },
): Promise<Admission> {
  const { index, item, entryId, newId, locked } = placed;
  if (isMore(item)) return ALONE;
  try {
    if (entryId === null) {
      if (item.action === 'update') throw new AppError('entry_not_found');
      return await admitNew(work, context, { index, item, newId });
    }
    const before = locked.get(entryId);
    if (before === undefined) throw new AppError('entry_not_found');
    return await admitChange(work, context, { ...placed, before });
  } catch (error) {
    if (error instanceof AppError) return { index, error };
    throw error;
  }
}

/** New slugs of pages change paths: their trees are locked for that at once, so that the unit of work need not run again. */
async function lockEntries(
  work: UnitOfWork,
  items: readonly Placed<DraftItem>[],
): Promise<ReadonlyMap<string, StoredEntry>> {
  const existing = items.flatMap(({ entryId: id, item: { locale, slug } }) =>
    id === null ? [] : [{ id, locale, slug }],
  );
  if (existing.length === 0) return new Map();
  const slugs = existing.flatMap(({ slug, ...of }) =>
    slug === undefined ? [] : [{ ...of, slug: normalizeSlug(slug) }],
  );
  const mode = (await work.use(TargetRepository).movesPages(slugs)) ? 'exclusive' : 'shared';
  const ids = existing.map(({ id }) => id);
  return work.use(EntryRepository).lockAll(ids, valuesOfTargets(existing), mode);
}

/** Locks existing entries in id order; then rights, versions and shapes, item by item. */
export async function admitDrafts(
  work: UnitOfWork,
  context: BatchContext,
  items: readonly Placed<DraftItem>[],
): Promise<Admission[]> {
  const ids = items.flatMap(({ entryId }) => entryId ?? []);
  const locked = await lockEntries(work, items);
  const paths = await entryPaths(work, 'update', ids);
  const admissions: Admission[] = [];
  for (const placed of items) admissions.push(await admit(work, context, { ...placed, locked, paths }));
  return admissions;
}
