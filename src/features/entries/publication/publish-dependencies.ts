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

interface Dependency {
  readonly entry: StoredEntry;
  readonly locale: string;
}

/**
 * The locale to publish so that readers of `locale` see the entry: itself if written, else the first written
 * fallback. Undefined if it is already visible or not written.
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
 * Unpublished entries that the draft links to, transitively.
 * @throws AppError 422 `limit_reached`
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

export const issuesOf = ({ details }: AppError): InputIssue[] =>
  (details as { issues?: InputIssue[] } | undefined)?.issues ?? [];

/** All or nothing. Issues of dependencies have paths starting with `["dependencies", <id>]`. */
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
