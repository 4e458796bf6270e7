import { AppError } from '../../../../contracts/errors.js';
import { anyValue } from '../../../access/grants.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertVersion, localeFor, siteOf } from '../access/entry.policy.js';
import { authorizeCreate, authorizeEntry, entryPaths, type EntryPaths } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesIn } from '../read-values.js';
import type { StoredEntry } from '../stored-entry.js';
import { atPath, checkAt } from './at-path.js';
import type { NestedBlock } from './nested-block.js';

/** Blocks to write, in the site and locale of the entry that contains them. */
export interface BlockRequest {
  readonly catalog: Catalog;
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly blocks: readonly NestedBlock[];
  /** Entries that the unit of work has locked. */
  readonly locked?: ReadonlyMap<string, StoredEntry>;
}

/** A block with the entry that it changes. */
export interface Located {
  readonly block: NestedBlock;
  readonly before: StoredEntry | null;
}

export const existingIds = (blocks: readonly NestedBlock[]): string[] =>
  blocks.filter(({ isNew }) => !isNew).map(({ id }) => id);

async function locate(work: UnitOfWork, { blocks, locale, locked }: BlockRequest): Promise<Located[]> {
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
  const changed = located.flatMap(({ before }) => (before === null ? [] : [{ entry: before, locale }]));
  const read = await work.use(EntryRepository).complete(changed);
  const byId = new Map(read.map((entry) => [entry.id, entry]));
  return located.map(({ block, before }) => ({
    block,
    before: before === null ? null : (byId.get(before.id) ?? before),
  }));
}

async function authorizeNew(
  work: UnitOfWork,
  { site, locale }: BlockRequest,
  { block }: Located,
): Promise<void> {
  const { type, path, fields } = block;
  const target = { contentTypeId: type.id, siteId: site.id, parentId: null, locales: [locale] };
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

export interface Admitted {
  readonly located: readonly Located[];
  readonly paths: EntryPaths;
}

/**
 * Locks the blocks and checks rights and versions, before anything is said about their content.
 * @throws AppError with the path of the block
 */
export async function admitBlocks(work: UnitOfWork, request: BlockRequest): Promise<Admitted> {
  const { catalog, locale } = request;
  const located = await locate(work, request);
  const paths = await entryPaths(work, 'update', existingIds(request.blocks));
  for (const one of located) {
    const { block, before } = one;
    if (before === null) await authorizeNew(work, request, one);
    else
      checkAt(block.path, () => {
        localeFor(catalog, siteOf(catalog, before), locale);
        authorizeEntry(work, before, { catalog, action: 'update', ...anyValue, paths });
        assertVersion(before, block.version);
      });
  }
  await reserveSingletons(work, request, located);
  return { located, paths };
}
