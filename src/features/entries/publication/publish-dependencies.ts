import { AppError, type InputIssue } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { Catalog } from '../../../content/catalog.js';
import { linksOf } from '../../../content/links.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { typeOf, valuesOf } from '../drafts/draft-state.js';
import { siteOf } from '../access/entry.policy.js';
import { EntryRepository } from '../entry.repository.js';
import { isRefusal, type LocaleTarget, type Outcome } from './locale-targets.js';
import { localeOf, type StoredEntry } from '../stored-entry.js';

/** An entry and the locale of it that is to be published. */
interface Dependency {
  readonly entry: StoredEntry;
  readonly locale: string;
}

/**
 * The locale in which an entry must be published for it to be seen where `locale` is asked for: that one
 * if it is written, else the first fallback that is. Undefined where something is to be seen already, or
 * nothing is written.
 */
function missingLocale(catalog: Catalog, entry: StoredEntry, locale: string): string | undefined {
  const site = siteOf(catalog, entry);
  const isServed = (code: string) => site.locales.includes(code) && catalog.locale(code)?.isActive === true;
  const own = localeOf(entry, locale);
  if (own !== undefined && isServed(locale)) return own.publishedAt === null ? locale : undefined;
  const fallbacks = catalog
    .localeChain(locale)
    .flatMap((code) => (isServed(code) ? (localeOf(entry, code) ?? []) : []));
  return fallbacks.some(({ publishedAt }) => publishedAt !== null) ? undefined : fallbacks[0]?.locale;
}

/**
 * Entries that a draft refers to, directly or through one another, of which nothing is live yet.
 * @throws AppError 422 `limit_reached` where they are too many to publish at once
 */
export async function unpublishedDependencies(
  work: UnitOfWork,
  catalog: Catalog,
  root: Dependency,
): Promise<LocaleTarget[]> {
  const limit = limits.dependenciesPerPublish;
  const chain = catalog.localeChain(root.locale);
  const seen = new Set([root.entry.id]);
  const found: Dependency[] = [];
  let layer: readonly Dependency[] = [root];
  while (layer.length > 0) {
    const ids = layer.flatMap(({ entry, locale }) =>
      linksOf(typeOf(catalog, entry).fields, valuesOf(entry, locale)).map(({ id }) => id),
    );
    const fresh = [...new Set(ids)].filter((id) => !seen.has(id));
    fresh.forEach((id) => seen.add(id));
    const entries = await work.use(EntryRepository).findOffline(fresh, chain, limit + 1);
    layer = entries.flatMap((entry) => {
      const locale = missingLocale(catalog, entry, root.locale);
      return locale === undefined ? [] : [{ entry, locale }];
    });
    found.push(...layer);
    if (entries.length > limit || found.length > limit) throw new AppError('limit_reached', { limit });
  }
  return found.map(({ entry, locale }) => ({ id: entry.id, locale }));
}

/** What a refused entry has to mend. */
export const issuesOf = ({ details }: AppError): InputIssue[] =>
  (details as { issues?: InputIssue[] } | undefined)?.issues ?? [];

/**
 * All or nothing: the first outcome is that of the entry itself, the others of what it refers to. The issues
 * of a dependency stand under `["dependencies", <id>, …]`.
 */
export function assertAllApplied([own, ...others]: readonly Outcome[]): void {
  const refusals = [own, ...others].filter((outcome) => outcome !== undefined).filter(isRefusal);
  const other = refusals.find(({ error }) => error.code !== 'entry_invalid');
  if (other !== undefined) throw other.error;
  if (refusals.length === 0) return;
  const issues = refusals.flatMap((refusal) =>
    issuesOf(refusal.error).map((issue) =>
      refusal === own ? issue : { ...issue, path: ['dependencies', refusal.id, ...issue.path] },
    ),
  );
  throw new AppError('entry_invalid', { issues });
}
