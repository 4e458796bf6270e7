import { AppError } from '../../../../../contracts/errors.js';
import { withWarnings, type Warned } from '../../../../../contracts/envelopes.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { authorize } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { claimBlocksOf, completeValues } from '../blocks/place-blocks.js';
import { readInput, type ItemLinks, type ReadFields } from '../blocks/read-input.js';
import { mergeValues } from '../drafts/draft-values.js';
import { linkRows } from '../link-rows.js';
import { localeOfNew } from '../access/entry-locale.js';
import { authorizeCreate, authorizeFacts, hasFacts, type GivenFacts } from '../access/entry-rights.js';
import { entryEvent, presentEntry } from '../entry.presenter.js';
import { SingletonRepository } from '../drafts/singleton.repository.js';
import { EntryBatchRepository } from '../entry-batch.repository.js';
import { EntryRepository } from '../entry.repository.js';
import { externalKey, ExternalIdRepository } from '../drafts/external-id.repository.js';
import { ExternalLinks } from '../drafts/external-links.js';
import { findPlace, lockPlaces } from '../drafts/entry-place.js';
import { assertSlugPattern, slugFor } from '../drafts/entry-slug.js';
import { newEntry, withDefaults, withFacts, withStoredSlug } from '../drafts/new-entry.js';
import type { RichTextConverter } from '../drafts/rich-text-input.js';
import type { EntryPlace } from '../../../routing/tree/index.js';
import { inInitialState } from '../workflow/save-content.js';
import { awaitedLater } from '../../../../infrastructure/promises.js';

type Input = InputOf<typeof entries.create>;

export interface NewEntryContext {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly treePlace: EntryPlace | null;
}

/** Resolves and authorizes type, site, locale and tree node (rule entries/write). */
export async function resolveContext(
  work: UnitOfWork,
  catalog: Catalog,
  input: Input & GivenFacts,
): Promise<NewEntryContext> {
  const type = catalog.contentType(input.contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  const site = catalog.site(input.siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  const locale = localeOfNew(catalog, { type, site }, input.locale);
  assertSlugPattern(type, input.slug);
  const { treeParentId } = input;
  const target = await authorizeCreate(work, {
    contentTypeId: type.id,
    siteId: site.id,
    parentId: treeParentId?.toLowerCase() ?? null,
    locales: [locale],
    fields: [
      ...Object.keys(input.fields ?? {}),
      ...(input.slug === undefined ? [] : ['_slug']),
      ...(input.externalId === undefined ? [] : ['_externalId']),
    ],
  });
  const treePlace = await findPlace(work, { type, siteId: site.id, treeParentId });
  authorizeFacts(work, target, input);
  if (treePlace?.siteId === null) authorize(work, 'entries.create', { ...target, treeSiteId: null });
  return { catalog, type, site, locale, treePlace };
}

/** @throws AppError 422 `limit_reached` for a second entry of a single-entry type */
async function reserve(work: UnitOfWork, type: ContentTypeDefinition, site: SiteDefinition): Promise<void> {
  if (!type.isSingleton || (await work.use(SingletonRepository).reserve(type.id, site.id))) return;
  const message = 'The site already has an entry of this single-entry type.';
  throw new AppError('limit_reached', { limit: 1 }, message);
}

interface Draft {
  readonly values: FieldValues;
  readonly slug: string;
}

/** The tree is locked before the slug is looked up; links are looked up meanwhile. */
async function prepareDraft(
  work: UnitOfWork,
  { catalog, type, site, locale, treePlace: place }: NewEntryContext,
  { id, slug, read }: { id: string; slug: string | undefined; read: ReadFields },
): Promise<Draft> {
  const placeLocked = lockPlaces(work, place === null ? [] : [place]);
  const valuesFound = awaitedLater(completeValues(work, { catalog, type, before: {}, read }));
  const scope = { siteId: site.id, contentTypeId: type.id, locale, entryId: id, place };
  const sources = { type, values: mergeValues({}, read.fields), given: slug, sibling: undefined, scope };
  const slugFound = awaitedLater(reserve(work, type, site).then(() => slugFor(work, sources)));
  await placeLocked;
  const draft = { catalog, type, locale, values: await valuesFound, slug: await slugFound };
  return withStoredSlug(null, draft);
}

/** Of an item of a batch. */
interface BatchPart {
  /** The id that other items link. */
  readonly id?: string | undefined;
  readonly links?: ItemLinks;
}

/** The values may link the new entry itself. */
async function linksOf(
  work: UnitOfWork,
  { catalog, type }: NewEntryContext,
  { id, externalId, fields }: { id: string; externalId: string | undefined; fields: FieldValues },
): Promise<ItemLinks> {
  const key = externalId === undefined ? '' : externalKey({ contentTypeId: type.id, externalId });
  const all = await ExternalLinks.read(work, { catalog, values: fields }, (names) =>
    names.has(key)
      ? { ids: new Map([[key, id]]), creators: new Map([[key, [0]]]) }
      : { ids: new Map(), creators: new Map() },
  );
  return { index: 0, all };
}

/** Rich text may be HTML or Markdown; blocks are written with the entry (rule entries/own-blocks). */
export async function createEntry(
  work: UnitOfWork,
  input: Input & BatchPart,
  converter: RichTextConverter,
): Promise<Warned<Entry>> {
  const catalog = await work.use(CatalogRepository).current();
  const place = await resolveContext(work, catalog, input);
  const { type, site, locale, treePlace } = place;
  const entries = work.use(EntryRepository);
  const { externalId, id = work.newId() } = input;
  const fields = withDefaults(type, input.fields ?? {});
  const links = input.links ?? (await linksOf(work, place, { id, externalId, fields }));
  const read = await readInput(work, { catalog, type, fields, known: {}, links }, converter);
  if (externalId !== undefined)
    await work.use(ExternalIdRepository).assertFree({ contentTypeId: type.id, externalId });
  const { values, slug } = await prepareDraft(work, place, { id, slug: input.slug, read });
  const draft = { catalog, id, type, siteId: site.id, locale, place: treePlace, values, slug, externalId };
  const made = inInitialState(catalog, newEntry(work, draft));
  await entries.insert({
    entry: made,
    locales: [locale],
    changeType: hasFacts(input) ? 'import' : 'create',
    changedFields: Object.keys(values),
    comment: null,
    links: linkRows(catalog, type, { values, locale }),
  });
  const imported = withFacts(made, input);
  if (imported !== undefined) work.use(EntryBatchRepository).keepFacts([imported]);
  const entry = imported ?? made;
  await claimBlocksOf(work, id, read.blocks);
  const data = presentEntry(entry, locale, catalog);
  entries.note({ action: 'entry.create', entry, locale, before: null, after: { ...data } });
  work.emit(entryEvent('created', data, Object.keys(values)));
  return withWarnings(data, read.warnings);
}
