import { AppError } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import { limits } from '../../../../../contracts/limits.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { isOwnBlock, type OwnBlock } from '../../../../content/model/own-block.js';
import { valueParts } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { anyValue } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { assertVersion, authorizeChange } from '../access/entry-rights.js';
import { localeFor, documentLocale } from '../access/entry-locale.js';
import { typeOf } from '../drafts/draft-state.js';
import { shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesOf, type StoredEntry } from '../stored-entry.js';
import { OwnedBlockRepository, type OwnedBlock } from './owned-block.repository.js';
import { isItem, itemsWith, localesOf, mapItems, saveRewritten } from './replace-items.js';

type Input = InputOf<typeof entries.detachBlock>;

/** @throws AppError 404 `block_not_found`, 409 `block_not_shared` */
function assertLinked(catalog: Catalog, owner: StoredEntry, id: string): void {
  const type = typeOf(catalog, owner);
  const items = localesOf(owner).flatMap(({ values }) => itemsWith(catalog, type, { values, id }));
  if (items.some(({ isOwn }) => !isOwn)) return;
  if (items.length === 0) throw new AppError('block_not_found');
  throw new AppError('block_not_shared', { blockId: id });
}

/** New ids: the same in every locale for what is in the same place, or was the same block. */
class NewIds {
  readonly made = new Map<string, OwnedBlock>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly ownerId: string,
  ) {}

  of(key: string, contentTypeId: string): string {
    const known = this.made.get(key) ?? { id: this.work.newId(), entryId: this.ownerId, contentTypeId };
    this.made.set(key, known);
    return known.id;
  }
}

interface Detaching {
  readonly catalog: Catalog;
  readonly owner: StoredEntry;
  readonly shared: StoredEntry;
  readonly ids: NewIds;
}

/** The values of the shared block in a locale, its own blocks with new ids. @param copyId of the block in the entry */
const copiedValues = ({ catalog, shared, ids }: Detaching, locale: string, copyId: string): FieldValues =>
  mapItems(
    catalog,
    { type: typeOf(catalog, shared), values: valuesOf(shared, documentLocale(catalog, shared) ?? locale) },
    (item) => {
      const own = isOwnBlock(item) ? catalog.contentType(item._type) : undefined;
      if (!isOwnBlock(item) || own === undefined) return item;
      const { _externalId: _sameAsElsewhere, ...block } = item;
      return { ...block, _ref: ids.of(`${copyId} ${item._ref}`, own.id) };
    },
  );

/** Links become blocks first, and these get values then: the shared block may link itself. */
function detached(detaching: Detaching, locale: string): FieldValues {
  const { catalog, owner, shared, ids } = detaching;
  const type = typeOf(catalog, owner);
  const { id: contentTypeId, apiName: _type } = typeOf(catalog, shared);
  const copies = new Set<string>();
  const placed = mapItems(catalog, { type, values: valuesOf(owner, locale) }, (item) => {
    if (isOwnBlock(item) || !isItem(item, shared.id)) return item;
    const id = ids.of(String(copies.size), contentTypeId);
    copies.add(id);
    return { _ref: id, _type, fields: {} } satisfies OwnBlock;
  });
  return mapItems(catalog, { type, values: placed }, (item) =>
    isOwnBlock(item) && copies.has(item._ref)
      ? { ...item, fields: copiedValues(detaching, locale, item._ref) }
      : item,
  );
}

/** `fields`, field and index. */
const STEPS_PER_LEVEL = 3;

/** @throws AppError 422 `limit_reached` */
function assertLimits(catalog: Catalog, type: ContentTypeDefinition, values: FieldValues): void {
  const parts = valueParts(catalog, type, values).slice(1);
  const { ownBlocks, ownBlockDepth } = limits;
  if (parts.length > ownBlocks) throw new AppError('limit_reached', { limit: ownBlocks });
  if (parts.some(({ path }) => path.length / STEPS_PER_LEVEL > ownBlockDepth))
    throw new AppError('limit_reached', { limit: ownBlockDepth });
}

/** Replaces links to a shared block by a copy that belongs to the entry (rule entries/shared-blocks). */
export async function detachBlock(work: UnitOfWork, input: Input): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const owner = await entries.lock(input.id, 'all');
  await authorizeChange(work, owner, { catalog, action: 'update', ...anyValue });
  const shown =
    input.locale === undefined ? shownLocale(owner, catalog) : localeFor(catalog, owner, input.locale);
  assertVersion(owner, input.version);
  const blockId = input.blockId.toLowerCase();
  assertLinked(catalog, owner, blockId);
  const shared = (await entries.readAll([blockId], 'all')).get(blockId);
  if (shared === undefined) throw new AppError('entry_not_found', { path: ['blockId'] });
  const ids = new NewIds(work, owner.id);
  const detaching = { catalog, owner, shared, ids };
  const values = owner.locales.map(({ locale }) => ({ locale, values: detached(detaching, locale) }));
  for (const one of values) assertLimits(catalog, typeOf(catalog, owner), one.values);
  const data = await saveRewritten(work, { catalog, entry: owner, values, shown });
  work.use(OwnedBlockRepository).note([...ids.made.values()]);
  return { data };
}
