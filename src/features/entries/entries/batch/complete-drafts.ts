import { AppError } from '../../../../../contracts/errors.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { entryPaths, hasFacts } from '../access/entry-rights.js';
import { linkedBy, valuesWith } from '../blocks/place-blocks.js';
import { valuesOf } from '../stored-entry.js';
import { slugFor, wantedSlug, type SlugSources, type WantedSlug } from '../drafts/entry-slug.js';
import {
  newEntry,
  authorizeFields,
  changedFieldsOf,
  nextEntry,
  nextSlug,
  withStoredSlug,
} from '../drafts/new-entry.js';
import { SlugBatchRepository } from '../drafts/slug-batch.repository.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import type { AdmittedDraft } from './admit-drafts.js';
import { isAccepted, isRefused, type BatchContext, type Refused } from './apply-single.js';
import type { DraftChange } from './write-drafts.js';

/** A draft with the change to write; null if it changes nothing. */
export interface CompletedDraft extends AdmittedDraft {
  readonly change: DraftChange | null;
}

interface Valued {
  readonly draft: AdmittedDraft;
  /** Of the locale, shared ones included. */
  readonly values: FieldValues;
}

function attempt<T>({ index }: AdmittedDraft, run: () => T): T | Refused {
  try {
    return run();
  } catch (error) {
    if (error instanceof AppError) return { index, error };
    throw error;
  }
}

async function completeValues(
  work: UnitOfWork,
  { catalog }: BatchContext,
  drafts: readonly AdmittedDraft[],
): Promise<(Valued | Refused)[]> {
  const changes = drafts.map(({ type, before, locale, read }) => ({
    catalog,
    type,
    read,
    before: before === null ? {} : valuesOf(before, locale),
  }));
  const linked = await linkedBy(work, changes);
  return changes.map((change, index) => {
    const draft = drafts[index];
    if (draft === undefined) throw new Error('A draft has no change');
    return attempt(draft, () => ({ draft, values: valuesWith(change, linked) }));
  });
}

/** The slug that stays, or what the next one is made of. */
function slugSources({ catalog }: BatchContext, { draft, values }: Valued): string | SlugSources {
  const { id: entryId, item, before, type, siteId, locale } = draft;
  const given = item.slug;
  if (before !== null) return nextSlug(before, { catalog, type, locale, values, given });
  const scope = { siteId, contentTypeId: type.id, locale, entryId, place: null };
  return { type, values, given, sibling: undefined, scope };
}

type Slugged = Valued & { readonly slug: string };

/** Undefined for a slug that stays. */
const wantedOf = (source: string | SlugSources): WantedSlug | undefined =>
  typeof source === 'string' ? undefined : wantedSlug(source);

/** Slugs with constantly many statements, except those of pages that are generated from other values. */
async function resolveSlugs(
  work: UnitOfWork,
  context: BatchContext,
  valued: readonly Valued[],
): Promise<(Slugged | Refused)[]> {
  const sources = valued.map((one) => slugSources(context, one));
  const all = sources.map(wantedOf);
  const isOfPage = ({ scope: { place, siteId } }: WantedSlug): boolean => place?.siteId === siteId;
  const wanted = all.filter((one) => one !== undefined);
  const found = await work.use(SlugBatchRepository).resolveFree(wanted.filter((one) => !isOfPage(one)));
  const ofPages = wanted.filter((one) => isOfPage(one) && one.isChosen);
  for (const one of await work.use(SlugRepository).freeOfPages(ofPages)) found.set(one, one.slug);
  const slugged: (Slugged | Refused)[] = [];
  for (const [index, one] of valued.entries()) {
    const source = sources[index] ?? '';
    const own = all[index];
    if (typeof source === 'string') slugged.push({ ...one, slug: source });
    else if (own === undefined || (isOfPage(own) && !own.isChosen))
      slugged.push({ ...one, slug: await slugFor(work, source) });
    else {
      const slug = found.get(own);
      const { index: at } = one.draft;
      if (slug !== undefined) slugged.push({ ...one, slug });
      else slugged.push({ index: at, error: await work.use(SlugRepository).refusal(own.slug, own.scope) });
    }
  }
  return slugged;
}

/**
 * Completes links, values and slugs, and checks the rights on what changes. The number of statements does not depend on
 * that of the drafts, but for pages whose slug is generated.
 */
export async function completeDrafts(
  work: UnitOfWork,
  context: BatchContext,
  drafts: readonly AdmittedDraft[],
): Promise<(CompletedDraft | Refused)[]> {
  const { catalog } = context;
  const valued = await completeValues(work, context, drafts);
  const slugged = await resolveSlugs(work, context, valued.filter(isAccepted));
  const ids = drafts.flatMap(({ before }) => before?.id ?? []);
  const paths = await entryPaths(work, 'update', ids);
  const completed = slugged.map((one): CompletedDraft | Refused => {
    if (isRefused(one)) return one;
    const { draft, slug } = one;
    const { id, before, type, siteId, locale, item } = draft;
    const { blocks } = draft.read;
    const next = withStoredSlug(before, { catalog, type, locale, values: one.values, slug });
    const { values } = next;
    const isImport = item.action !== 'update' && hasFacts(item);
    if (before === null) {
      const externalId = item.action === 'update' ? null : item.externalId;
      const place = null;
      const after = newEntry(work, { catalog, id, type, siteId, locale, place, values, slug, externalId });
      const facts = item.action === 'update' ? undefined : item;
      const changedFields = Object.keys(values);
      const written = { before, after, locale, values, blocks, changedFields, facts, isImport };
      return { ...draft, change: written };
    }
    const changedFields = changedFieldsOf(before, next);
    if (changedFields.length === 0) return { ...draft, change: null };
    return attempt(draft, () => {
      authorizeFields(work, before, { ...next, paths });
      const after = nextEntry(work, before, next);
      const comment = 'comment' in item ? item.comment : undefined;
      const written = { before, after, locale, values, blocks, changedFields, comment, isImport };
      return { ...draft, change: written };
    });
  });
  return [...valued.filter(isRefused), ...completed];
}
