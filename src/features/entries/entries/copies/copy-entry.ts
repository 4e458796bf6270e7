import { limits } from '../../../../../contracts/limits.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { isOwnBlock } from '../../../../content/model/own-block.js';
import { splitValues } from '../../../../content/blocks/stored-values.js';
import { blockFieldsOf, blockItems, mapParts } from '../../../../content/blocks/value-parts.js';
import { mapEntriesInTexts, mapLinks } from '../../../../content/links.js';
import { followSlug, normalizeSlug, titleFieldOf } from '../../../../content/slug-field.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { OwnedBlockRepository, type OwnedBlock } from '../blocks/owned-block.repository.js';
import { draftState, linksOfLocales, typeOf } from '../drafts/draft-state.js';
import { shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { titleOf } from '../drafts/entry-slug.js';
import { type EntryPlace, EntryTreeRepository } from '../../../routing/tree/index.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import { fieldsOf, type StoredEntry, type StoredLocale, valuesOf } from '../stored-entry.js';
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

/** Adds the suffix to the title. */
function withSuffix(type: ContentTypeDefinition, values: FieldValues, titleSuffix: string): FieldValues {
  const named = titleFieldOf(type);
  const field = type.fields.find(({ apiName }) => apiName === named);
  const title = named === null ? undefined : values[named];
  const isProse = field !== undefined && kindOf(field).isProse;
  if (named === null || !isProse || typeof title !== 'string' || titleSuffix === '') return values;
  return { ...values, [named]: addSuffix(title, titleSuffix) };
}

interface Renewed {
  readonly type: ContentTypeDefinition;
  readonly values: FieldValues;
  /** Of the copy. */
  readonly id: string;
  /** Its blocks by the ids of those that they are copies of; new ones are added. */
  readonly blocks: Map<string, OwnedBlock>;
}

/** Points links at the copies, and gives blocks new ids, the same in every locale. */
function renewValues(
  work: UnitOfWork,
  { catalog, ids }: CopyPlan,
  { type: root, values: given, id: entryId, blocks }: Renewed,
): FieldValues {
  const renewed = (item: unknown): unknown => {
    const type = isOwnBlock(item) ? catalog.contentType(item._type) : undefined;
    if (!isOwnBlock(item) || type === undefined) return item;
    const known = blocks.get(item._ref) ?? { id: work.newId(), entryId, contentTypeId: type.id };
    blocks.set(item._ref, known);
    return { ...item, _ref: known.id };
  };
  return mapParts(catalog, { type: root, values: given }, ({ type, values }) => {
    const idOf = (known: string): string => ids.get(known) ?? known;
    const links = mapLinks(type.fields, values, (link) => ({ ...link, id: idOf(link.id) }));
    const linked: Record<string, unknown> = { ...mapEntriesInTexts(type.fields, links, idOf) };
    for (const field of blockFieldsOf(type))
      if (Array.isArray(linked[field.apiName]))
        linked[field.apiName] = blockItems(linked, field).map(renewed);
    return linked;
  });
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
    if (await isTaken) throw await slugs.refusal(slug, scope);
    return slug;
  }
  if (!isInTree) return slugs.firstFree(known, scope);
  const key = `${place.parentId ?? ''} ${locale}`;
  const claimed = claims.get(key) ?? new Set();
  const slug = await slugs.firstFreeNow(known, scope, claimed);
  claims.set(key, claimed.add(slug));
  return slug;
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

function insertCopy(work: UnitOfWork, catalog: Catalog, entry: StoredEntry): void {
  const { sharedFields: shared, locales } = entry;
  const codes = locales.map(({ locale }) => locale);
  work.use(EntryRepository).insertRows({
    entry,
    locales: codes,
    changeType: 'create',
    changedFields: [
      ...new Set([...Object.keys(shared), ...locales.flatMap((state) => Object.keys(fieldsOf(state)))]),
    ],
    comment: null,
    links: linksOfLocales(catalog, entry, codes),
  });
}

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
  const blocks = new Map<string, OwnedBlock>();
  const renewed = (values: FieldValues): FieldValues => renewValues(work, plan, { type, values, id, blocks });
  let shared: FieldValues = {};
  const locales: StoredLocale[] = [];
  for (const state of copied) {
    const copy = { state, type, id, given: state === main ? given : undefined, place };
    const slug = await copySlug(work, plan, copy);
    const values = splitValues(catalog, type, renewed(valuesOf(source, state.locale)));
    const adjusted = (some: FieldValues): FieldValues =>
      followSlug(type, withSuffix(type, some, titleSuffix), [state.slug, slug]);
    const fields = adjusted(values.localized);
    if (state === main || locales.length === 0) shared = adjusted(values.shared);
    const title = titleOf(type, { ...adjusted(values.shared), ...fields }, slug);
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
  insertCopy(work, catalog, entry);
  work.use(OwnedBlockRepository).note([...blocks.values()]);
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
