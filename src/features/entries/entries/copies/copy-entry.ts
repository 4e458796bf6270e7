import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { mapLinks } from '../../../../content/links.js';
import { normalizeSlug, slugFieldOf, titleFieldOf } from '../../../../content/slug-field.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { draftState, linksOfLocales, typeOf } from '../drafts/draft-state.js';
import { shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { titleOf } from '../drafts/entry-slug.js';
import { type EntryPlace, EntryTreeRepository } from '../../../routing/tree/index.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import { fieldsOf, type StoredEntry, type StoredLocale } from '../stored-entry.js';
import { inInitialState } from '../workflow/save-content.js';
import { lockPlaces } from '../drafts/entry-place.js';

export interface CopyPlan {
  readonly catalog: Catalog;
  readonly site: SiteDefinition;
  readonly locales: readonly string[];
  /** Copy id by source id; links between copied entries follow it. */
  readonly ids: ReadonlyMap<string, string>;
  /** Slugs of copies that wait for their tree, by place and locale. */
  readonly claims: Map<string, Set<string>>;
}

interface CopySource {
  readonly source: StoredEntry;
  readonly titleSuffix: string;
  /** Slug requested for the default locale. */
  readonly slug: string | undefined;
  readonly place: EntryPlace | null;
}

/** Cuts long titles, so that the copy stays valid. */
function addSuffix(title: string, suffix: string): string {
  const room = Math.max(0, limits.textLength - [...suffix].length);
  return [...title].slice(0, room).join('') + suffix;
}

/** Points links at the copies and adds the suffix to the title. */
function copyValues(
  type: ContentTypeDefinition,
  values: FieldValues,
  { plan, titleSuffix }: { plan: CopyPlan; titleSuffix: string },
): FieldValues {
  const linked = mapLinks(type.fields, values, (link) => ({ ...link, id: plan.ids.get(link.id) ?? link.id }));
  const named = titleFieldOf(type);
  const field = type.fields.find(({ apiName }) => apiName === named);
  const title = named === null ? undefined : linked[named];
  const isProse = field !== undefined && kindOf(field).isProse;
  if (named === null || !isProse || typeof title !== 'string' || titleSuffix === '') return linked;
  return { ...linked, [named]: addSuffix(title, titleSuffix) };
}

interface SlugCopy {
  readonly type: ContentTypeDefinition;
  readonly id: string;
  readonly given: string | undefined;
  readonly place: EntryPlace | null;
}

/** The requested slug must be free; otherwise the source's is used, numbered if taken. */
async function copySlug(
  work: UnitOfWork,
  { site, claims }: CopyPlan,
  { state: { locale, slug: known }, ...copy }: SlugCopy & { state: StoredLocale },
): Promise<string> {
  const slugs = work.use(SlugRepository);
  const { type, id: entryId, place } = copy;
  const scope = { siteId: site.id, contentTypeId: type.id, locale, entryId, place };
  const isInTree = place?.siteId === site.id;
  if (copy.given !== undefined) {
    const slug = normalizeSlug(copy.given);
    const isTaken = isInTree ? slugs.isTakenNow(slug, scope) : slugs.isTaken(slug, scope);
    if (await isTaken) throw new AppError('slug_conflict', { slug, locale });
    return slug;
  }
  if (!isInTree) return slugs.firstFree(known, scope);
  const key = `${place.parentId ?? ''} ${locale}`;
  const claimed = claims.get(key) ?? new Set();
  const slug = await slugs.firstFreeNow(known, scope, claimed);
  claims.set(key, claimed.add(slug));
  return slug;
}

/** A slug field that held the source's slug follows the copy's. */
function withSlugField(
  type: ContentTypeDefinition,
  values: FieldValues,
  slugs: [string, string],
): FieldValues {
  const [before, after] = slugs;
  const name = slugFieldOf(type);
  return name !== undefined && values[name] === before ? { ...values, [name]: after } : values;
}

const createdNow = ({ now, scope: { actor } }: UnitOfWork) => ({
  createdAt: now,
  createdBy: actor,
  updatedAt: now,
  updatedBy: actor,
  deletedAt: null,
  externalId: null,
  version: 1,
});

/** Without the tree node, which `placeCopies` adds. Locales missing from the plan are not copied. */
export async function copyEntry(
  work: UnitOfWork,
  plan: CopyPlan,
  { source, titleSuffix, slug: given, place }: CopySource,
): Promise<StoredEntry> {
  const { catalog, site } = plan;
  const type = typeOf(catalog, source);
  const id = plan.ids.get(source.id) ?? work.newId();
  const shown = shownLocale(source, catalog);
  // Locales created at the same time are read in code order.
  const copied = source.locales
    .filter(({ locale }) => plan.locales.includes(locale))
    .sort((a, b) => (a.locale < b.locale ? -1 : 1));
  const main = copied.find(({ locale }) => locale === shown) ?? copied[0];
  let shared = copyValues(type, source.sharedFields, { plan, titleSuffix });
  const locales: StoredLocale[] = [];
  for (const state of copied) {
    const copy = { state, type, id, given: state === main ? given : undefined, place };
    const slug = await copySlug(work, plan, copy);
    const own = copyValues(type, fieldsOf(state), { plan, titleSuffix });
    const fields = withSlugField(type, own, [state.slug, slug]);
    if (state === main) shared = withSlugField(type, shared, [state.slug, slug]);
    const title = titleOf(type, { ...shared, ...fields }, slug);
    locales.push(draftState(undefined, { locale: state.locale, slug, title, fields, updatedAt: work.now }));
  }
  const entry = inInitialState(catalog, {
    ...source,
    ...createdNow(work),
    id,
    siteId: site.id,
    sharedFields: shared,
    place,
    isHome: false,
    locales,
  });
  const codes = locales.map(({ locale }) => locale);
  work.use(EntryRepository).insertRows({
    entry,
    locales: codes,
    changeType: 'create',
    changedFields: [
      ...new Set([...Object.keys(shared), ...locales.flatMap((state) => Object.keys(fieldsOf(state)))]),
    ],
    comment: null,
    links: linksOfLocales(type, entry, codes),
  });
  return entry;
}

/**
 * Locks the trees of copies whose rows are written, so that other writers wait only for what follows. Slugs were
 * chosen without the lock: where one has been taken since, the unit of work runs again.
 */
export async function lockCopies(work: UnitOfWork, copies: readonly StoredEntry[]): Promise<void> {
  const places = copies.flatMap(({ place }): EntryPlace[] => (place === null ? [] : [place]));
  await lockPlaces(work, places);
  const slugs = work.use(SlugRepository);
  const checks = copies
    .filter(({ place, siteId }) => place?.siteId === siteId)
    .flatMap(({ id: entryId, locales, ...entry }) =>
      locales.map(({ locale, slug }) => slugs.assertFree(slug, { ...entry, locale, entryId })),
    );
  await Promise.all(checks);
}

/** In the given order, each last among its siblings. Requires the lock. */
export async function placeCopies(work: UnitOfWork, copies: readonly StoredEntry[]): Promise<void> {
  const trees = work.use(EntryTreeRepository);
  for (const copy of copies) await trees.insert(copy);
}
