import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import { valueParts } from '../../../../content/blocks/value-parts.js';
import { linksOf } from '../../../../content/links.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { copyEntry, type CopyPlan, lockCopies, placeCopies } from './copy-entry.js';
import { assertLocale, typeOf } from '../drafts/draft-state.js';
import { findPlace } from '../drafts/entry-place.js';
import { documentLocale } from '../access/entry-locale.js';
import { authorizeCreate, siteOf } from '../access/entry-rights.js';
import { entryEvent, brief, presentEntry, presentState, shownLocale } from '../entry.presenter.js';
import { SingletonRepository } from '../drafts/singleton.repository.js';
import { EntryRepository } from '../entry.repository.js';
import { assertSlugPattern } from '../drafts/entry-slug.js';
import { EntryTreeRepository, type EntryPlace } from '../../../routing/tree/index.js';
import { localeOf, type StoredEntry, valuesOf } from '../stored-entry.js';

type Input = InputOf<typeof entries.duplicate>;

function targetSite(
  work: UnitOfWork,
  catalog: Catalog,
  { source, siteId }: { source: StoredEntry; siteId: string | undefined },
): SiteDefinition {
  const site = siteId === undefined ? siteOf(catalog, source) : catalog.site(siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  return site;
}

/** A document of every locale is written in the default locale of the site that it is copied to. */
function inSite(catalog: Catalog, site: SiteDefinition, entry: StoredEntry): StoredEntry {
  const own = documentLocale(catalog, entry);
  if (own === undefined) return entry;
  const locales = entry.locales.filter(({ locale }) => locale === own);
  return { ...entry, locales: locales.map((state) => ({ ...state, locale: site.defaultLocale })) };
}

/** Defaults to all locales of the target site. */
function targetLocales(
  catalog: Catalog,
  site: SiteDefinition,
  { source, wanted }: { source: StoredEntry; wanted: readonly string[] },
): readonly string[] {
  wanted.forEach((locale, index) => {
    assertLocale(catalog, site, { locale, path: ['locales', index] });
    if (localeOf(source, locale) === undefined)
      throw new AppError('locale_not_found', { path: ['locales', index], locale });
  });
  const locales = wanted.length > 0 ? wanted : site.locales;
  if (source.locales.some(({ locale }) => locales.includes(locale))) return locales;
  throw new AppError('locale_not_found', { path: ['siteId'] }, 'The entry has no locale that the site uses.');
}

const linkedIds = (catalog: Catalog, entry: StoredEntry): string[] => {
  const type = typeOf(catalog, entry);
  const parts = entry.locales.flatMap(({ locale }) => valueParts(catalog, type, valuesOf(entry, locale)));
  return parts.flatMap(({ type: { fields }, values }) => linksOf(fields, values).map(({ id }) => id));
};

/**
 * Linked entries to copy along: same site, up to three hops. Single-entry types and entries without a copied locale
 * are shared.
 * @throws AppError 422 `limit_reached`
 */
async function linkedEntries(
  work: UnitOfWork,
  source: StoredEntry,
  { catalog, site, locales }: Pick<CopyPlan, 'catalog' | 'site' | 'locales'>,
): Promise<StoredEntry[]> {
  const seen = new Set([source.id]);
  const found: StoredEntry[] = [];
  let layer: readonly StoredEntry[] = [source];
  for (let hop = 0; hop < limits.includeMaximum && layer.length > 0; hop += 1) {
    const ids = [...new Set(layer.flatMap((entry) => linkedIds(catalog, entry)))].filter(
      (id) => !seen.has(id),
    );
    if (found.length + ids.length >= limits.entriesPerCopy)
      throw new AppError('limit_reached', { limit: limits.entriesPerCopy });
    ids.forEach((id) => seen.add(id));
    const loaded = await work.use(EntryRepository).readAll(ids, 'all');
    layer = [...loaded.values()]
      .map((entry) => inSite(catalog, site, entry))
      .filter(
        (entry) =>
          entry.siteId === source.siteId &&
          !typeOf(catalog, entry).isSingleton &&
          entry.locales.some(({ locale }) => locales.includes(locale)),
      );
    found.push(...layer);
  }
  return found;
}

export interface Duplicate {
  readonly source: StoredEntry;
  readonly copy: StoredEntry;
  readonly copiedAlong: readonly StoredEntry[];
}

function noteAlong(
  work: UnitOfWork,
  catalog: Catalog,
  { source, made }: { source: StoredEntry; made: StoredEntry },
): void {
  const locale = shownLocale(made, catalog);
  const after = { ...brief(presentState(made, locale, catalog)), copiedFrom: source.id };
  work
    .use(EntryRepository)
    .note({ action: 'entry.duplicate', entry: made, locale, before: null, after, isAlong: true });
}

/** An entry to copy and where its copy goes. */
interface Planned {
  readonly source: StoredEntry;
  readonly place: EntryPlace | null;
}

async function authorizeCopy(
  work: UnitOfWork,
  { catalog, site, locales }: CopyPlan,
  { source, place }: Planned,
): Promise<void> {
  const copied = source.locales.map(({ locale }) => locale).filter((locale) => locales.includes(locale));
  const fields = ['_slug', ...typeOf(catalog, source).fields.map(({ apiName }) => apiName)];
  await authorizeCreate(work, {
    contentTypeId: source.contentTypeId,
    siteId: site.id,
    parentId: place?.parentId ?? null,
    treeSiteId: place?.siteId,
    locales: copied,
    fields,
  });
}

/** The sources, the named one first; none is locked. */
async function planCopies(
  work: UnitOfWork,
  catalog: Catalog,
  input: Omit<Input, 'projectSlug'>,
): Promise<{ plan: CopyPlan; planned: readonly [Planned, ...Planned[]] }> {
  const found = (await work.use(EntryRepository).readAll([input.id], 'all')).get(input.id.toLowerCase());
  if (found === undefined) throw new AppError('entry_not_found');
  const type = typeOf(catalog, found);
  const site = targetSite(work, catalog, { source: found, siteId: input.siteId });
  const source = inSite(catalog, site, found);
  const placed = { type, siteId: site.id, treeParentId: input.treeParentId };
  const place = await findPlace(work, placed);
  const locales = targetLocales(catalog, site, { source, wanted: input.locales ?? [] });
  assertSlugPattern(type, input.slug);
  const linked = input.deep ? await linkedEntries(work, source, { catalog, site, locales }) : [];
  const along: Planned[] = [];
  for (const child of linked) {
    const beside = { type: typeOf(catalog, child), siteId: site.id, treeParentId: null };
    along.push({ source: child, place: await findPlace(work, beside) });
  }
  const ids = new Map([source, ...linked].map(({ id }) => [id, work.newId()]));
  return { plan: { catalog, site, locales, ids, claims: new Map() }, planned: [{ source, place }, ...along] };
}

/**
 * Copies an entry, with `deep` also its linked entries. The caller writes the audit record. Everything is prepared and
 * written before the tree is locked; only the tree nodes follow.
 */
export async function makeDuplicate(
  work: UnitOfWork,
  catalog: Catalog,
  input: Omit<Input, 'projectSlug'>,
): Promise<Duplicate> {
  const { plan, planned } = await planCopies(work, catalog, input);
  const places = planned.flatMap(({ place }) => place ?? []);
  await work.use(EntryTreeRepository).lockTreesIfRetried(places.map(({ siteId }) => siteId));
  for (const one of planned) await authorizeCopy(work, plan, one);
  const [root, ...along] = planned;
  const { titleSuffix, slug } = input;
  const copy = await copyEntry(work, plan, { ...root, titleSuffix, slug });
  const copiedAlong: StoredEntry[] = [];
  for (const child of along) {
    const made = await copyEntry(work, plan, { ...child, titleSuffix: '', slug: undefined });
    copiedAlong.push(made);
    noteAlong(work, catalog, { source: child.source, made });
  }
  for (const made of [...copiedAlong, copy])
    work.emit(entryEvent('created', presentState(made, shownLocale(made, catalog), catalog)));
  const copies = [copy, ...copiedAlong];
  await lockCopies(work, copies);
  // The parent may have moved before its tree was locked.
  await authorizeCopy(work, plan, root);
  const { isSingleton, id: typeId } = typeOf(catalog, copy);
  if (isSingleton && !(await work.use(SingletonRepository).reserve(typeId, copy.siteId, copy.id)))
    throw new AppError('limit_reached', { limit: 1 });
  await placeCopies(work, copies);
  return { source: root.source, copy, copiedAlong };
}

export async function duplicateEntry(work: UnitOfWork, input: Input): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const { source, copy, copiedAlong } = await makeDuplicate(work, catalog, input);
  const locale = shownLocale(copy, catalog);
  const data = presentEntry(copy, locale, catalog);
  const origin = { copiedFrom: source.id, copiedAlong: copiedAlong.map(({ id }) => id) };
  const after = { ...data, ...origin };
  work.use(EntryRepository).note({ action: 'entry.duplicate', entry: copy, locale, before: null, after });
  return { data };
}
