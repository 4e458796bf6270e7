import { AppError } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { isOwnBlock, type OwnBlock } from '../../../../content/model/own-block.js';
import { splitValues } from '../../../../content/blocks/stored-values.js';
import { ownBlocksIn } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { anyValue } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { localeFor } from '../access/entry-locale.js';
import { assertVersion, authorizeChange, authorizeCreate } from '../access/entry-rights.js';
import { draftState, linksOfLocales, typeOf } from '../drafts/draft-state.js';
import { slugFor, titleOf } from '../drafts/entry-slug.js';
import { newEntry } from '../drafts/new-entry.js';
import { SingletonRepository } from '../drafts/singleton.repository.js';
import { entryEvent, presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { withLocale, type StoredEntry } from '../stored-entry.js';
import { inInitialState } from '../workflow/save-content.js';
import { OwnedBlockRepository } from './owned-block.repository.js';
import { isItem, itemsWith, localesOf, mapItems, saveRewritten, type LocaleValues } from './replace-items.js';

type Input = InputOf<typeof entries.shareBlock>;

/** A block of an entry, with its values in every locale that has it. */
interface Sharing {
  readonly catalog: Catalog;
  readonly owner: StoredEntry;
  readonly type: ContentTypeDefinition;
  readonly id: string;
  /** The shown one of the entry first; one for a type without locales. */
  readonly locales: readonly LocaleValues[];
}

/** @throws AppError 404 `block_not_found`, 409 `block_is_shared` */
function findBlock(catalog: Catalog, owner: StoredEntry, id: string): Sharing {
  const ownerType = typeOf(catalog, owner);
  const written = localesOf(owner);
  const found = written.flatMap(({ locale, values }): { locale: string; block: OwnBlock }[] => {
    const block = ownBlocksIn(catalog, ownerType, values).get(id);
    return block === undefined ? [] : [{ locale, block }];
  });
  const type = catalog.contentType(found[0]?.block._type ?? '');
  if (type === undefined) {
    const isLink = written.some(({ values }) => itemsWith(catalog, ownerType, { values, id }).length > 0);
    throw isLink ? new AppError('block_is_shared', { blockId: id }) : new AppError('block_not_found');
  }
  const shown = shownLocale(owner, catalog);
  const locales = found
    .map(({ locale, block }) => ({ locale, values: block.fields }))
    .toSorted((a, b) => Number(b.locale === shown) - Number(a.locale === shown));
  return { catalog, owner, type, id, locales: type.isLocalized ? locales : locales.slice(0, 1) };
}

/** The block as an entry; where shared values differ between localized lists, those of the shown locale are kept. */
async function makeEntry(
  work: UnitOfWork,
  { catalog, owner, type, id, locales }: Sharing,
): Promise<StoredEntry> {
  const { siteId } = owner;
  let made: StoredEntry | undefined;
  for (const { locale, values } of locales) {
    const scope = { siteId, contentTypeId: type.id, locale, entryId: id, place: null };
    const sibling = made?.locales[0]?.slug;
    const slug = await slugFor(work, { type, values, given: undefined, sibling, scope });
    if (made === undefined) {
      made = newEntry(work, { catalog, id, type, siteId, locale, place: null, values, slug });
      continue;
    }
    const { localized: fields } = splitValues(catalog, type, values);
    const title = titleOf(type, values, slug);
    made = withLocale(made, draftState(undefined, { locale, slug, title, fields, updatedAt: work.now }));
  }
  if (made === undefined) throw new Error('The block has no locale');
  return inInitialState(catalog, made);
}

/** @throws AppError 403 `permission_denied`, 422 `limit_reached` for a second entry of a single-entry type */
async function createShared(work: UnitOfWork, sharing: Sharing): Promise<void> {
  const { catalog, owner, type, id, locales } = sharing;
  const codes = locales.map(({ locale }) => locale);
  const fields = [...new Set(locales.flatMap(({ values }) => Object.keys(values)))];
  const target = { contentTypeId: type.id, siteId: owner.siteId, parentId: null, locales: codes, fields };
  await authorizeCreate(work, target);
  if (type.isSingleton && !(await work.use(SingletonRepository).reserve(type.id, owner.siteId)))
    throw new AppError('limit_reached', { limit: 1 });
  const entry = await makeEntry(work, sharing);
  const entries = work.use(EntryRepository);
  const links = linksOfLocales(catalog, entry, codes);
  const content = { entry, locales: codes, changedFields: fields, comment: null, links };
  entries.insertRows({ ...content, changeType: 'create' });
  const nested = locales.flatMap(({ values }) => [...ownBlocksIn(catalog, type, values).keys()]);
  work.use(OwnedBlockRepository).move([...new Set(nested)], id);
  const locale = shownLocale(entry, catalog);
  const data = presentEntry(entry, locale, catalog);
  const after = { ...data, sharedFrom: owner.id };
  entries.note({ action: 'entry.create', entry, locale, before: null, after, isAlong: true });
  work.emit(entryEvent('created', data, fields));
}

/** Makes a block of an entry an entry that others can link (rule entries/shared-blocks). */
export async function shareBlock(work: UnitOfWork, input: Input): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const owner = await work.use(EntryRepository).lock(input.id, 'all');
  await authorizeChange(work, owner, { catalog, action: 'update', ...anyValue });
  const shown =
    input.locale === undefined ? shownLocale(owner, catalog) : localeFor(catalog, owner, input.locale);
  assertVersion(owner, input.version);
  const sharing = findBlock(catalog, owner, input.blockId.toLowerCase());
  const { id, type } = sharing;
  const link = { _ref: id, _type: type.apiName };
  const values = localesOf(owner).map(({ locale, values: own }) => ({
    locale,
    values: mapItems(catalog, { type: typeOf(catalog, owner), values: own }, (item) =>
      isOwnBlock(item) && isItem(item, id) ? link : item,
    ),
  }));
  await createShared(work, sharing);
  return { data: await saveRewritten(work, { catalog, entry: owner, values, shown }) };
}
