import { AppError } from '../../../../contracts/errors.js';
import { withWarnings, type Warned } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { checkDraftShapes, completeLinks, mergeValues, splitValues } from './draft-values.js';
import { linkRows } from '../link-rows.js';
import { authorizeCreate } from '../access/entry-rights.js';
import { entryEvent } from '../entry.events.js';
import { localeFor } from '../access/entry.policy.js';
import { presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { findPlace, lockPlaces } from './entry-place.js';
import { assertSlugPattern, slugFor, titleOf } from './entry-slug.js';
import { convertRichTextFields, type RichTextConverter } from './rich-text-input.js';
import type { EntryPlace } from '../../tree/index.js';
import type { StoredEntry } from '../stored-entry.js';

type Input = InputOf<typeof entries.create>;

interface Context {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly treePlace: EntryPlace | null;
}

/** Resolves and authorizes type, site, locale and tree node (decisions 2.29). */
async function resolveContext(work: UnitOfWork, input: Input): Promise<Context> {
  const catalog = await work.use(CatalogRepository).current();
  const type = catalog.contentType(input.contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  const site = catalog.site(input.siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  const locale = localeFor(catalog, site, input.locale);
  assertSlugPattern(type, input.slug);
  const { treeParentId } = input;
  const target = await authorizeCreate(work, {
    contentTypeId: type.id,
    siteId: site.id,
    parentId: treeParentId?.toLowerCase() ?? null,
    locales: [locale],
    fields: [...Object.keys(input.fields ?? {}), ...(input.slug === undefined ? [] : ['_slug'])],
  });
  const treePlace = await findPlace(work, { type, siteId: site.id, treeParentId });
  if (treePlace?.siteId === null) authorize(work, 'entries.create', { ...target, treeSiteId: null });
  return { catalog, type, site, locale, treePlace };
}

/** An explicit null overrides a default. */
function withDefaults(type: ContentTypeDefinition, given: FieldValues): FieldValues {
  const defaults = type.fields.filter(
    ({ defaultValue }) => defaultValue !== null && defaultValue !== undefined,
  );
  return {
    ...Object.fromEntries(defaults.map(({ apiName, defaultValue }) => [apiName, defaultValue])),
    ...given,
  };
}

/** @throws AppError 422 `limit_reached` for a second entry of a single-entry type */
async function reserve(work: UnitOfWork, type: ContentTypeDefinition, site: SiteDefinition): Promise<void> {
  if (!type.isSingleton || (await work.use(EntryRepository).reserveSingleton(type.id, site.id))) return;
  const message = 'The site already has an entry of this single-entry type.';
  throw new AppError('limit_reached', { limit: 1 }, message);
}

interface Draft {
  readonly id: string;
  readonly values: FieldValues;
  readonly slug: string;
}

/**
 * Conversion and checks of values come before the tree is locked. Then place, links and slug are looked up together;
 * the first error in this order wins.
 */
async function prepareDraft(
  work: UnitOfWork,
  { catalog, type, site, locale, treePlace: place }: Context,
  input: Input,
): Promise<Draft> {
  const id = work.newId();
  const given = withDefaults(type, input.fields);
  await checkDraftShapes({ catalog, type }, given);
  const placeLocked = lockPlaces(work, place === null ? [] : [place]);
  const linksCompleted = completeLinks(work, { catalog, type }, given);
  const scope = { siteId: site.id, contentTypeId: type.id, locale, entryId: id, place };
  const values = mergeValues({}, given);
  const slugFound = reserve(work, type, site).then(() =>
    slugFor(work, { type, values, given: input.slug, sibling: undefined, scope }),
  );
  linksCompleted.catch(() => undefined);
  slugFound.catch(() => undefined);
  await placeLocked;
  return { id, values: mergeValues({}, await linksCompleted), slug: await slugFound };
}

function newEntry(
  { now, scope }: UnitOfWork,
  { type, site, locale, treePlace: place }: Context,
  draft: Draft,
): StoredEntry {
  const { id, slug } = draft;
  const { localized, shared } = splitValues(type, draft.values);
  const marks = { contentHash: '', publishedContentHash: null, publishedSharedHash: null };
  const publication = { publishedVersion: null, publishedAt: null, firstPublishedAt: null };
  const title = titleOf(type, draft.values, slug);
  return {
    id,
    contentTypeId: type.id,
    siteId: site.id,
    version: 1,
    sharedFields: shared,
    sharedHash: '',
    createdAt: now,
    createdBy: scope.actor,
    updatedAt: now,
    updatedBy: scope.actor,
    deletedAt: null,
    place,
    isHome: false,
    locales: [{ locale, slug, title, fields: localized, updatedAt: now, ...marks, ...publication }],
  };
}

/** Rich text may be HTML or Markdown. */
export async function createEntry(
  work: UnitOfWork,
  input: Input,
  converter: RichTextConverter,
): Promise<Warned<Entry>> {
  const place = await resolveContext(work, input);
  const { catalog, type, locale } = place;
  const entries = work.use(EntryRepository);
  const { fields, warnings } = await convertRichTextFields(type, input.fields ?? {}, converter);
  const draft = await prepareDraft(work, place, { ...input, fields });
  const { values } = draft;
  const entry = newEntry(work, place, draft);
  await entries.insert({
    entry,
    locales: [locale],
    changeType: 'create',
    changedFields: Object.keys(values),
    comment: null,
    links: linkRows(type, values, locale),
  });
  const data = presentEntry(entry, locale, catalog);
  entries.note({ action: 'entry.create', entry, locale, before: null, after: { ...data } });
  work.emit(entryEvent('created', data, Object.keys(values)));
  return withWarnings(data, warnings);
}
