import { AppError } from '../../../../../contracts/errors.js';
import { anyValue } from '../../../../access/grants.js';
import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  assertVersion,
  authorizeCreate,
  authorizeEntry,
  entryPaths,
  type EntryPaths,
} from '../access/entry-rights.js';
import { documentLocale, localeFor } from '../access/entry-locale.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesIn } from '../anchored-values.js';
import { type StoredEntry, valuesOf } from '../stored-entry.js';
import { atPath, checkAt, type NestedBlock, givenValues } from './nested-block.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { typeOf } from '../drafts/draft-state.js';
import { completeLinks, mergeValues } from '../drafts/draft-values.js';
import { slugFor, wantedSlug, type SlugSources } from '../drafts/entry-slug.js';
import { newEntry, authorizeFields, changedFieldsOf, nextEntry, nextSlug } from '../drafts/new-entry.js';
import { BlockSlugRepository, type WantedBlockSlug } from './block-slug.repository.js';

/** Blocks to write, in the site and locale of the entry that contains them. */
interface BlockRequest {
  readonly catalog: Catalog;
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly blocks: readonly NestedBlock[];
  /** Entries that the unit of work has locked. */
  readonly locked?: ReadonlyMap<string, StoredEntry>;
}

/** A block with the entry that it changes. */
interface Located {
  readonly block: NestedBlock;
  readonly before: StoredEntry | null;
}

/** The locale of a block: that of the entry that contains it, unless the block has one document for every locale. */
const localeIn = ({ catalog, site, locale }: BlockRequest, { block, before }: Located): string => {
  if (block.type.isLocalized) return locale;
  return (before && documentLocale(catalog, before)) ?? site.defaultLocale;
};

export const existingIds = (blocks: readonly NestedBlock[]): string[] =>
  blocks.filter(({ isNew }) => !isNew).map(({ id }) => id);

async function locate(work: UnitOfWork, request: BlockRequest): Promise<Located[]> {
  const { blocks, locale, locked } = request;
  const ids = existingIds(blocks);
  const known =
    locked ??
    (ids.length === 0
      ? new Map<string, StoredEntry>()
      : await work.use(EntryRepository).lockAll(ids, valuesIn(locale)));
  const located = blocks.map((block) => {
    const before = block.isNew ? null : known.get(block.id);
    if (before === undefined) throw new AppError('entry_not_found', { path: [...block.path, '_ref'] });
    return { block, before };
  });
  // A block of another site may be shown in another locale.
  const changed = located.flatMap((one) =>
    one.before === null ? [] : [{ entry: one.before, locale: localeIn(request, one) }],
  );
  const read = await work.use(EntryRepository).complete(changed);
  const byId = new Map(read.map((entry) => [entry.id, entry]));
  return located.map(({ block, before }) => ({
    block,
    before: before === null ? null : (byId.get(before.id) ?? before),
  }));
}

async function authorizeNew(work: UnitOfWork, request: BlockRequest, one: Located): Promise<void> {
  const { type, path, fields } = one.block;
  const target = {
    contentTypeId: type.id,
    siteId: request.site.id,
    parentId: null,
    locales: [localeIn(request, one)],
  };
  try {
    await authorizeCreate(work, { ...target, fields: Object.keys(fields) });
  } catch (error) {
    throw error instanceof AppError ? atPath(path, error) : error;
  }
}

/** @throws AppError 422 `limit_reached` for a second entry of a single-entry type */
async function reserveSingletons(
  work: UnitOfWork,
  { site }: BlockRequest,
  located: readonly Located[],
): Promise<void> {
  const single = located.filter(({ block, before }) => before === null && block.type.isSingleton);
  const seen = new Set<string>();
  for (const { block } of single) {
    const { type, path } = block;
    const isFree = !seen.has(type.id) && (await work.use(EntryRepository).reserveSingleton(type.id, site.id));
    if (!isFree) throw new AppError('limit_reached', { limit: 1, path });
    seen.add(type.id);
  }
}

interface Admitted {
  readonly located: readonly Located[];
  readonly paths: EntryPaths;
}

/**
 * Locks the blocks and checks rights and versions, before anything is said about their content.
 * @throws AppError with the path of the block
 */
async function admitBlocks(work: UnitOfWork, request: BlockRequest): Promise<Admitted> {
  const { catalog, locale } = request;
  const located = await locate(work, request);
  const paths = await entryPaths(work, 'update', existingIds(request.blocks));
  for (const one of located) {
    const { block, before } = one;
    if (before === null) await authorizeNew(work, request, one);
    else
      checkAt(block.path, () => {
        localeFor(catalog, before, locale);
        authorizeEntry(work, before, { catalog, action: 'update', ...anyValue, paths });
        assertVersion(before, block.version);
      });
  }
  await reserveSingletons(work, request, located);
  return { located, paths };
}

/** A checked change of a block. */
export interface BlockChange {
  /** Null for a new block. */
  readonly before: StoredEntry | null;
  readonly after: StoredEntry;
  readonly locale: string;
  /** Of the locale, shared ones included. */
  readonly values: FieldValues;
  readonly changedFields: readonly string[];
  readonly comment?: string | undefined;
}

interface Checked extends Located {
  readonly values: FieldValues;
}

async function completeValues(
  work: UnitOfWork,
  request: BlockRequest,
  located: readonly Located[],
): Promise<Checked[]> {
  const { catalog } = request;
  const given = await completeLinks(
    work,
    located.map(({ block }) => ({ ...block, catalog, values: givenValues(block) })),
  );
  return located.map((one, index) => {
    const known = one.before === null ? {} : valuesOf(one.before, localeIn(request, one));
    return { ...one, values: mergeValues(known, given[index] ?? {}) };
  });
}

/** The slugs that stay, and what the others are made of. */
function slugOf(request: BlockRequest, one: Checked): string | SlugSources {
  const { catalog, site } = request;
  const { block, before, values } = one;
  const locale = localeIn(request, one);
  const { id: entryId, type } = block;
  if (before !== null) return nextSlug(before, { type, locale, values, given: undefined, catalog });
  const scope = { siteId: site.id, contentTypeId: type.id, locale, entryId, place: null };
  return { type, values, given: undefined, sibling: undefined, scope };
}

/** One statement for all entries outside the tree of their site; blocks are rarely pages. */
async function resolveSlugs(
  work: UnitOfWork,
  request: BlockRequest,
  checked: readonly Checked[],
): Promise<string[]> {
  const slugs = checked.map((one) => slugOf(request, one));
  const wanted = slugs.map((slug, index): WantedBlockSlug | undefined => {
    if (typeof slug === 'string' || slug.scope.place?.siteId === slug.scope.siteId) return undefined;
    return { ...wantedSlug(slug), path: checked[index]?.block.path ?? [] };
  });
  const resolved = await work.use(BlockSlugRepository).resolve(wanted.filter((one) => one !== undefined));
  const found: string[] = [];
  for (const [index, slug] of slugs.entries()) {
    const own = wanted[index];
    const free = own === undefined ? undefined : resolved.get(own);
    found.push(typeof slug === 'string' ? slug : (free ?? (await slugFor(work, slug))));
  }
  return found;
}

/**
 * Locks and authorizes nested blocks and looks up their links and slugs. Equal values change nothing. The number of statements does not depend on
 * the number of blocks.
 * @throws AppError with the path of the block
 */
export async function prepareBlocks(work: UnitOfWork, request: BlockRequest): Promise<BlockChange[]> {
  if (request.blocks.length === 0) return [];
  const { catalog, site } = request;
  const { located, paths } = await admitBlocks(work, request);
  const checked = await completeValues(work, request, located);
  const slugs = await resolveSlugs(work, request, checked);
  return checked.flatMap((one, index): BlockChange[] => {
    const { block, before, values } = one;
    const locale = localeIn(request, one);
    const { id, type, path } = block;
    const slug = slugs[index] ?? id;
    if (before === null) {
      const after = newEntry(work, { id, type, siteId: site.id, locale, place: null, values, slug });
      return [{ before, after, locale, values, changedFields: Object.keys(values) }];
    }
    const draft = { type: typeOf(catalog, before), locale, values, slug };
    const changedFields = changedFieldsOf(before, draft);
    if (changedFields.length === 0) return [];
    checkAt(path, () => {
      authorizeFields(work, before, { catalog, type, locale, changedFields, paths });
    });
    return [{ before, after: nextEntry(work, before, draft), locale, values, changedFields }];
  });
}
