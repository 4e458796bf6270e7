import type { FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { typeOf } from '../drafts/draft-state.js';
import { completeLinks, mergeValues } from '../drafts/draft-values.js';
import { slugFor, wantedSlug, type SlugSources } from '../drafts/entry-slug.js';
import { newEntry } from '../drafts/new-entry.js';
import { authorizeFields, changedFieldsOf, nextEntry, nextSlug } from '../drafts/next-draft.js';
import { valuesOf, type StoredEntry } from '../stored-entry.js';
import { admitBlocks, type BlockRequest, type Located } from './admit-blocks.js';
import { checkAt } from './at-path.js';
import { givenValues } from './given-values.js';
import { BlockSlugRepository, type WantedBlockSlug } from './block-slug.repository.js';

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
  { catalog, locale }: BlockRequest,
  located: readonly Located[],
): Promise<Checked[]> {
  const given = await completeLinks(
    work,
    located.map(({ block }) => ({ ...block, catalog, values: givenValues(block) })),
  );
  return located.map((one, index) => {
    const known = one.before === null ? {} : valuesOf(one.before, locale);
    return { ...one, values: mergeValues(known, given[index] ?? {}) };
  });
}

/** The slugs that stay, and what the others are made of. */
function slugOf(
  { catalog, site, locale }: BlockRequest,
  { block, before, values }: Checked,
): string | SlugSources {
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
  const { catalog, site, locale } = request;
  const { located, paths } = await admitBlocks(work, request);
  const checked = await completeValues(work, request, located);
  const slugs = await resolveSlugs(work, request, checked);
  return checked.flatMap(({ block, before, values }, index): BlockChange[] => {
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
