import { AppError } from '../../../contracts/errors.js';
import type { createEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Entry } from '../../../contracts/resources/entry.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../content/catalog.js';
import type { FieldValues } from '../../content/validate-fields.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { draftValues, linkRows, mergedValues, splitValues } from './draft-values.js';
import { assertMayCreate } from './entry-rights.js';
import { entryEvent } from './entry.events.js';
import { localeFor } from './entry.policy.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { placeForNew } from './entry-place.js';
import { assertSlugPattern, slugFor, titleOf } from './entry-slug.js';
import type { EntryPlace } from '../tree/index.js';
import type { StoredEntry } from './stored-entry.js';

type Input = InputOf<typeof contract>;

interface Place {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly treePlace: EntryPlace | null;
}

/** What the body names must exist: type, site, locale, tree node (decisions 2.29). */
async function placeOf(work: UnitOfWork, input: Input): Promise<Place> {
  const catalog = await work.use(CatalogRepository).current();
  const type = catalog.contentType(input.contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  const site = catalog.site(input.siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  const locale = localeFor(catalog, site, input.locale);
  assertSlugPattern(type, input.slug);
  const { treeParentId } = input;
  await assertMayCreate(work, {
    contentTypeId: type.id,
    siteId: site.id,
    parentId: treeParentId?.toLowerCase() ?? null,
    locales: [locale],
    fields: [...Object.keys(input.fields ?? {}), ...(input.slug === undefined ? [] : ['_slug'])],
  });
  const treePlace = await placeForNew(work, { type, siteId: site.id, treeParentId });
  return { catalog, type, site, locale, treePlace };
}

/** Given values over the fields' defaults; a null keeps a default away. */
function withDefaults(type: ContentTypeDefinition, given: FieldValues): FieldValues {
  const defaults = type.fields.filter(
    ({ defaultValue }) => defaultValue !== null && defaultValue !== undefined,
  );
  return {
    ...Object.fromEntries(defaults.map(({ apiName, defaultValue }) => [apiName, defaultValue])),
    ...given,
  };
}

async function newEntry(
  work: UnitOfWork,
  { type, site, locale, treePlace: place }: Place,
  draft: { values: FieldValues; slug?: string | undefined },
): Promise<StoredEntry> {
  const { now } = work;
  const id = work.newId();
  const { localized, shared } = splitValues(type, draft.values);
  const scope = { siteId: site.id, contentTypeId: type.id, locale, entryId: id, place };
  const slug = await slugFor(work, {
    type,
    values: draft.values,
    given: draft.slug,
    sibling: undefined,
    scope,
  });
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
    createdBy: work.scope.actor,
    updatedAt: now,
    updatedBy: work.scope.actor,
    deletedAt: null,
    place,
    isHome: false,
    locales: [{ locale, slug, title, fields: localized, updatedAt: now, ...marks, ...publication }],
  };
}

/** Creates an entry at version 1 with a draft in one locale. */
export async function createEntry(work: UnitOfWork, input: Input): Promise<{ data: Entry }> {
  const place = await placeOf(work, input);
  const { catalog, type, site, locale } = place;
  const entries = work.use(EntryRepository);
  if (type.isSingleton && !(await entries.holdSingleton(type.id, site.id))) {
    throw new AppError(
      'limit_reached',
      { limit: 1 },
      'The site has an entry of this single-entry type already.',
    );
  }
  const checked = await draftValues(work, { catalog, type }, withDefaults(type, input.fields));
  const values = mergedValues({}, checked);
  const draft = await newEntry(work, place, { values, slug: input.slug });
  const entry = await entries.insert({
    entry: draft,
    locales: [locale],
    changeType: 'create',
    changedFields: Object.keys(values),
    comment: null,
    links: linkRows(type, values, locale),
  });
  const data = presentEntry(entry, locale, catalog);
  entries.note({ action: 'entry.create', entry, locale, before: null, after: { ...data } });
  work.emit(entryEvent('created', data, Object.keys(values)));
  return { data };
}
