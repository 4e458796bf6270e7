import { AppError } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { EntryTreeRepository } from '../../tree/index.js';
import { linksOfLocales, typeOf } from '../drafts/draft-state.js';
import { authorizeChange } from '../access/entry-rights.js';
import { entryEvent } from '../entry.events.js';
import { assertVersion } from '../access/entry.policy.js';
import { changedParts, presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../read-values.js';
import { titleOf } from '../drafts/entry-slug.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import { valuesOf, type StoredEntry, type StoredLocale } from '../stored-entry.js';
import { saveContent } from '../workflow/save-content.js';

/** Locales whose slugs have been taken since, with a numbered slug. */
async function renumberSlugs(
  work: UnitOfWork,
  entry: StoredEntry,
  type: ContentTypeDefinition,
): Promise<StoredLocale[]> {
  const slugs = work.use(SlugRepository);
  const moved: StoredLocale[] = [];
  for (const state of entry.locales) {
    const { siteId, contentTypeId, id: entryId, place } = entry;
    const slug = await slugs.firstFree(state.slug, {
      siteId,
      contentTypeId,
      locale: state.locale,
      entryId,
      place,
    });
    const title = titleOf(type, valuesOf(entry, state.locale), slug);
    if (slug !== state.slug) moved.push({ ...state, slug, title, updatedAt: work.now });
  }
  return moved;
}

async function withFreeSlugs(work: UnitOfWork, entry: StoredEntry, catalog: Catalog): Promise<StoredEntry> {
  const type = typeOf(catalog, entry);
  const moved = await renumberSlugs(work, entry, type);
  if (moved.length === 0) return entry;
  const locales = entry.locales.map((state) => moved.find(({ locale }) => locale === state.locale) ?? state);
  const written = moved.map(({ locale }) => locale);
  return saveContent(work, catalog, {
    entry: { ...entry, version: entry.version + 1, locales },
    locales: written,
    changeType: 'restore',
    changedFields: ['_slug'],
    comment: null,
    links: linksOfLocales(type, entry, written),
  });
}

/**
 * Every locale returns as a draft; a page returns to the root of its site's tree. A no-op for an entry that is not
 * deleted.
 */
export async function undeleteEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.undelete>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const { contentTypeId, siteId } = await entries.find(input.id, noValues, true);
  const isPage = catalog.contentTypeById(contentTypeId)?.isPage === true;
  if (isPage) await work.use(EntryTreeRepository).lockTrees([siteId]);
  const before = await entries.lockDeleted(input.id);
  const locales = before.locales.map((state) => state.locale);
  await authorizeChange(work, before, { catalog, action: 'delete', locales });
  assertVersion(before, input.version);
  const locale = shownLocale(before, catalog);
  const was = presentEntry(before, locale, catalog);
  if (before.deletedAt === null) return { data: was };
  const type = typeOf(catalog, before);
  if (type.isSingleton && !(await entries.reserveSingleton(type.id, before.siteId)))
    throw new AppError('limit_reached', { limit: 1 });
  const place = isPage ? { nodeId: work.newId(), parentId: null, siteId } : null;
  const revived = { ...before, place, deletedAt: null, updatedAt: work.now, updatedBy: work.scope.actor };
  const after = await withFreeSlugs(work, revived, catalog);
  await entries.undelete(after);
  const data = presentEntry(after, locale, catalog);
  entries.note({ action: 'entry.undelete', entry: after, locale, ...changedParts(was, data) });
  work.emit(entryEvent('restored', data));
  return { data };
}
