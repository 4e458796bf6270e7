import { AppError, type InputIssue } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { Catalog } from '../../../../content/catalog.js';
import { valueParts } from '../../../../content/blocks/value-parts.js';
import { referencesIn } from '../../../../content/links.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { documentLocale } from '../access/entry-locale.js';
import { authorizeEntry, entryPaths, siteOf } from '../access/entry-rights.js';
import { typeOf } from '../drafts/draft-state.js';
import {
  assertApproved,
  catchRefusal,
  isAdmitted,
  isRefusal,
  type LockedTarget,
  type Refusal,
} from './locale-targets.js';
import { EntryRepository } from '../entry.repository.js';
import { LinkRepository } from '../link.repository.js';
import { valuesIn, type LocalesRead } from '../anchored-values.js';
import { localeOf, valuesOf, type StoredEntry } from '../stored-entry.js';

export interface AlongOptions {
  /** Publishes linked entries of which nothing is published. */
  readonly withDependencies?: boolean | undefined;
}

/** Entries to publish along. */
interface Along {
  readonly places: readonly (LockedTarget | Refusal)[];
  /** Ids published along with an entry, directly or through others. */
  idsOf(entryId: string): ReadonlySet<string>;
}

/** The locale, which is written, unless it is published. */
function pendingIn(entry: StoredEntry, locale: string): string | undefined {
  const own = localeOf(entry, locale);
  return own?.publishedAt === null ? locale : undefined;
}

/**
 * The locale to publish so that readers of `locale` see the entry: the locale itself if written, else the first
 * written fallback. Undefined if there is nothing to publish.
 */
function pendingLocale(catalog: Catalog, entry: StoredEntry, locale: string): string | undefined {
  const own = documentLocale(catalog, entry);
  if (own !== undefined) return pendingIn(entry, own);
  const site = siteOf(catalog, entry);
  const isServed = (code: string) => site.locales.includes(code) && catalog.locale(code)?.isActive === true;
  if (localeOf(entry, locale) !== undefined && isServed(locale)) return pendingIn(entry, locale);
  const fallbacks = catalog
    .localeChain(locale)
    .flatMap((code) => (isServed(code) ? (localeOf(entry, code) ?? []) : []));
  return fallbacks.some(({ publishedAt }) => publishedAt !== null) ? undefined : fallbacks[0]?.locale;
}

/** Follows links from drafts to what is published along with them, level by level. */
class AlongSearch implements Along {
  readonly places: (LockedTarget | Refusal)[] = [];
  readonly #reasons = new Map<string, 'target' | 'dependency'>();
  readonly #links = new Map<string, string[]>();
  /** What readers of the locale see. */
  readonly #read: LocalesRead;

  constructor(
    private readonly work: UnitOfWork,
    private readonly catalog: Catalog,
    private readonly locale: string,
  ) {
    this.#read = { locales: catalog.localeChain(locale), forAll: catalog.typesForAll };
  }

  /** @throws AppError 422 `limit_reached` */
  async run(targets: readonly LockedTarget[], { withDependencies }: AlongOptions): Promise<void> {
    for (const { entry } of targets) this.#reasons.set(entry.id, 'target');
    if (!withDependencies) return;
    for (let level = targets; level.length > 0;) level = await this.#lock(await this.#offlineLinks(level));
  }

  idsOf(entryId: string): ReadonlySet<string> {
    const found = new Set<string>();
    const left = [entryId];
    for (let from = left.pop(); from !== undefined; from = left.pop()) {
      for (const to of this.#links.get(from) ?? []) {
        if (to === entryId || found.has(to)) continue;
        found.add(to);
        left.push(to);
      }
    }
    return found;
  }

  async #offlineLinks(level: readonly LockedTarget[]): Promise<string[]> {
    const links = level.flatMap(({ entry, locale }) =>
      valueParts(this.catalog, typeOf(this.catalog, entry), valuesOf(entry, locale))
        .flatMap(({ type, values }) => referencesIn(type.fields, values))
        .map(({ id }) => ({ from: entry.id, to: id })),
    );
    const ids = [...new Set(links.map(({ to }) => to))];
    const limit = this.#limit();
    const fresh = ids.filter((id) => !this.#reasons.has(id));
    const offline = await this.work.use(LinkRepository).offline(fresh, this.#read, limit + 1);
    if (offline.length > limit) throw new AppError('limit_reached', { limit });
    const found = new Set([...offline, ...ids.filter((id) => this.#reasons.has(id))]);
    for (const { from, to } of links) if (found.has(to)) this.#link(from, to);
    return offline;
  }

  /** Locks, authorizes and adds entries that are new to the search. Those that the caller cannot read do not exist. */
  async #lock(ids: readonly string[]): Promise<LockedTarget[]> {
    const fresh = [...new Set(ids)].filter((id) => !this.#reasons.has(id));
    if (fresh.length === 0) return [];
    fresh.forEach((id) => this.#reasons.set(id, 'dependency'));
    const limit = this.#limit();
    if (this.#count('dependency') > limit) throw new AppError('limit_reached', { limit });
    const entries = await this.work.use(EntryRepository).lockAll(fresh, valuesIn(this.locale));
    const paths = await entryPaths(this.work, 'publish', [...entries.keys()]);
    const places = [...entries.values()].flatMap((entry) => {
      const { id } = entry;
      const locale = pendingLocale(this.catalog, entry, this.locale);
      if (locale === undefined) return [];
      return catchRefusal(id, () => {
        authorizeEntry(this.work, entry, {
          catalog: this.catalog,
          action: 'publish',
          locales: [locale],
          paths,
        });
        assertApproved(this.catalog, entry, { locale });
        return { id, entry, locale };
      });
    });
    const admitted = places.filter(isAdmitted);
    const read = await this.work.use(EntryRepository).complete(admitted);
    const targets = admitted.map((place, index) => ({ ...place, entry: read[index] ?? place.entry }));
    this.places.push(...places.filter(isRefusal), ...targets);
    return targets;
  }

  #link(from: string, to: string): void {
    this.#links.set(from, [...(this.#links.get(from) ?? []), to]);
  }

  #count(reason: 'target' | 'dependency'): number {
    return [...this.#reasons.values()].filter((one) => one === reason).length;
  }

  #limit(): number {
    return Math.min(limits.dependenciesPerPublish * this.#count('target'), limits.publishedAlong);
  }
}

/**
 * What is published with these targets of one locale. Sends no statement where nothing is linked.
 * @throws AppError 422 `limit_reached`
 */
export async function findAlong(
  work: UnitOfWork,
  catalog: Catalog,
  { targets, ...options }: AlongOptions & { readonly targets: readonly LockedTarget[] },
): Promise<Along> {
  const [first] = targets;
  const search = new AlongSearch(work, catalog, first?.locale ?? '');
  await search.run(targets, options);
  return search;
}

export const issuesOf = ({ details }: AppError): InputIssue[] =>
  (details as { issues?: InputIssue[] } | undefined)?.issues ?? [];

/**
 * An entry is published with everything that is published along, or not at all. Issues of others have paths starting
 * with `["dependencies", <id>]`.
 */
export function refusalWith(
  id: string,
  refused: ReadonlyMap<string, Refusal>,
  along: Along,
): Refusal | undefined {
  const key = id.toLowerCase();
  const own = refused.get(key);
  const refusals = [key, ...along.idsOf(key)].flatMap((one) => refused.get(one) ?? []);
  if (refusals.length === 0) return undefined;
  const other = refusals.find(({ error }) => error.code !== 'entry_invalid');
  if (other !== undefined) return { id, error: other.error };
  const issues = refusals.flatMap((refusal) =>
    issuesOf(refusal.error).map((issue) =>
      refusal === own ? issue : { ...issue, path: ['dependencies', refusal.id, ...issue.path] },
    ),
  );
  return { id, error: new AppError('entry_invalid', { issues }) };
}
