import type { BrokenLink } from '../../../../../contracts/entries/entries/entry-reference.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { documentLocale } from '../access/entry-locale.js';
import { isRestricting } from '../access/entry-rights.js';
import type { StoredEntry } from '../stored-entry.js';
import { DependencyRepository } from './dependency.repository.js';
import { linkingField } from './list-dependencies.js';

/** Locales of an entry that are about to be unpublished. */
interface Leaving {
  readonly entry: StoredEntry;
  readonly locales: readonly string[];
}

/**
 * Published links to the entry that break, because readers of their documents see it now and not afterwards, and those that
 * keep it published. Of entries that the caller can read.
 */
export async function brokenLinks(
  work: UnitOfWork,
  catalog: Catalog,
  { entry, locales }: Leaving,
): Promise<BrokenLink[]> {
  const live = entry.locales.filter(({ publishedAt }) => publishedAt !== null).map(({ locale }) => locale);
  if (live.length === 0) return [];
  const left = new Set(live.filter((locale) => !locales.includes(locale)));
  const isForAll = documentLocale(catalog, entry) !== undefined;
  const isSeen = (from: ReadonlySet<string>, locale: string): boolean =>
    isForAll ? from.size > 0 : catalog.localeChain(locale).some((code) => from.has(code));
  const repository = work.use(DependencyRepository);
  const links = (await repository.inDocuments([entry.id], 'in')).flatMap((link) => {
    const field = linkingField(catalog, link);
    if (field === undefined || link.entryId === entry.id) return [];
    const isBroken = isSeen(new Set(live), link.locale) && !isSeen(left, link.locale);
    const isHolding = isRestricting(field);
    return isBroken || isHolding ? [{ ...link, isRestricting: isHolding }] : [];
  });
  const referrers = await repository.entries([...new Set(links.map(({ entryId }) => entryId))]);
  const byId = new Map(referrers.map((referrer) => [referrer.id, referrer]));
  return links.flatMap(({ entryId, fieldApiName, locale, isRestricting: isHolding }) => {
    const referrer = byId.get(entryId);
    if (referrer === undefined) return [];
    const { title, siteId, contentTypeId } = referrer;
    const contentTypeApiName = catalog.contentTypeById(contentTypeId)?.apiName ?? '';
    return [{ entryId, contentTypeApiName, title, siteId, fieldApiName, locale, isRestricting: isHolding }];
  });
}
